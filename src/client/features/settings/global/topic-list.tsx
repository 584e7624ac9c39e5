import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/button.tsx'
import styles from './global-page.module.css'
import type { SettingTopic } from './setting-topics.ts'

/** Renders a button for each topic, which leads to it. */
export const TopicList = ({ topics }: { readonly topics: readonly SettingTopic[] }) => (
  <nav aria-label={t('settings.topics')} className={styles.topics}>
    {topics.map(({ id, title }) => (
      <Button key={id} kind="quiet" onClick={() => showTopic(id)}>
        {t(title)}
      </Button>
    ))}
  </nav>
)

/** Moves the focus to a topic, so that the keyboard goes on from there, too. */
function showTopic(id: string): void {
  const topic = document.querySelector<HTMLElement>(`#${id}`)
  topic?.focus({ preventScroll: true })
  topic?.scrollIntoView({ block: 'start' })
}
