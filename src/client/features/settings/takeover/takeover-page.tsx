import { useQuery } from '../../../api/use-query.ts'
import type { TakeoverNoteResource, TakeoverResource } from '../../../../shared/contract/server.ts'
import { formatDate } from '../../../i18n/format.ts'
import { RichText } from '../../../i18n/rich-text.tsx'
import { t } from '../../../i18n/translate.ts'
import { visibleName } from '../../../ui/visible-name.ts'
import { CardLoading } from '../card-loading.tsx'
import { SettingsCard, SettingsPage } from '../settings-card.tsx'
import { NextSteps } from './next-steps.tsx'
import { NoteList } from './note-list.tsx'
import styles from './takeover-page.module.css'
import { takeoverQuery } from '../../../api/takeover-query.ts'

/** Renders the report of the takeover from File Browser (decision 82). */
export function TakeoverPage() {
  const { data, error, refetch } = useQuery(takeoverQuery)
  const takeover = data?.takeover ?? null
  return (
    <SettingsPage>
      <SettingsCard
        title={t('settings.tab.takeover')}
        isPageTitle
        hint={takeover === null ? data && t('settings.takeover.none') : <Origin takeover={takeover} />}
      >
        <CardLoading isLoaded={data !== undefined} error={error} onRetry={() => void refetch()} />
        {takeover !== null && (
          <NextSteps
            steps={takeover.steps}
            leftCount={takeover.left.length}
            missingCount={takeover.changed.filter(isOnMissingEntry).length}
          />
        )}
      </SettingsCard>
      {takeover !== null &&
        (['left', 'changed', 'kept'] as const)
          .filter((part) => takeover[part].length > 0)
          .map((part) => (
            <SettingsCard
              key={part}
              title={t(`settings.takeover.${part}`)}
              hint={t(`settings.takeover.${part}.hint`)}
            >
              <NoteList notes={takeover[part]} />
            </SettingsCard>
          ))}
    </SettingsPage>
  )
}

/** Returns true for a note about the folder of a user, or a shared entry, that was not there. A note without a user is about new users. */
const isOnMissingEntry = ({ message, user }: TakeoverNoteResource): boolean =>
  user !== '' && (message?.code === 'scope-missing' || message?.code === 'share-awaited')

/** Renders the time of the takeover and the file from which the state was taken over. */
function Origin({ takeover: { time, from } }: { readonly takeover: TakeoverResource }) {
  const date = formatDate(Date.parse(time))
  if (from === '') return t('settings.takeover.at', { date })
  const file = (
    <code dir="ltr" className={styles.code}>
      {visibleName(from)}
    </code>
  )
  return <RichText id="settings.takeover.from" values={{ date: <bdi>{date}</bdi>, file }} />
}
