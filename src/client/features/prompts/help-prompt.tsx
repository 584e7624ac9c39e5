import type { ReactNode } from 'react'
import type { Action } from '../../actions/action.ts'
import { actions } from '../../actions/actions.ts'
import { t } from '../../i18n/translate.ts'
import { closePrompt } from '../../state/prompt.ts'
import { may } from '../../state/session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { focusFirst } from './focus-first.ts'
import { keyParts } from './key-label.ts'
import styles from './prompts.module.css'

/** The keys that the listing handles itself, in addition to the keys in the list of actions. */
const listKeys = [
  { keys: ['ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown'], text: 'prompt.help.move' },
  { keys: ['shift+ArrowDown'], text: 'prompt.help.extend' },
  { keys: ['Enter'], text: 'prompt.help.openSelected' },
] as const

/** The keys with a separate text in the help (ux 1.2). For all other keys, the help shows the label of their action. */
const worded: readonly string[] = ['F1', 'F2', 'Delete', 'Escape', 'ctrl+s']

/**
 * Lists all keys and gestures that work for the current user. The list is derived from the actions, so it is always
 * complete.
 */
export function HelpPrompt() {
  const isMac = /Mac|iPhone|iPad/.test(navigator.platform)
  const [ctrl = ''] = keyParts('ctrl', isMac)
  const verbs = actions.filter(({ keys, needs }) => keys.length > 0 && (needs === undefined || may(needs)))
  return (
    <Dialog
      title={t('prompt.help.title')}
      width="wide"
      onClose={closePrompt}
      actions={
        <Button kind="primary" ref={focusFirst} onClick={closePrompt}>
          {t('buttons.ok')}
        </Button>
      }
    >
      <div className={styles.help}>
        <Section title={t('prompt.help.keys')}>
          {verbs.map((action) => (
            <Line
              key={action.id}
              keys={action.keys.map((key) => keyParts(key, isMac))}
              text={textOf(action)}
            />
          ))}
          {listKeys.map(({ keys, text }) => (
            <Line key={text} keys={keys.map((key) => keyParts(key, isMac))} text={t(text)} />
          ))}
          <Line keys={[[t('prompt.help.letters')]]} text={t('prompt.help.jump')} />
        </Section>
        <Section title={t('prompt.help.mouse')}>
          <Line keys={[[t('prompt.help.click')]]} text={t('prompt.help.select')} />
          <Line keys={[[ctrl, t('prompt.help.click')]]} text={t('prompt.help.selectSeveral')} />
          <Line keys={[[t('key.shift'), t('prompt.help.click')]]} text={t('prompt.help.selectRange')} />
          <Line keys={[[t('prompt.help.doubleClick')]]} text={t('prompt.help.open')} />
        </Section>
        <Section title={t('prompt.help.touch')}>
          <Line keys={[[t('prompt.help.tap')]]} text={t('prompt.help.open')} />
          <Line keys={[[t('prompt.help.longPress')]]} text={t('prompt.help.select')} />
        </Section>
      </div>
    </Dialog>
  )
}

function textOf({ id, keys }: Action): string {
  const key = keys.find((key) => worded.includes(key))
  return t(key === undefined ? `action.${id}` : `prompt.help.${key}`)
}

const Section = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section>
    <h3 className={styles.helpTitle}>{title}</h3>
    <dl className={styles.helpLines}>{children}</dl>
  </section>
)

/**
 * Renders one line of the help. Each element of `keys` is a key combination that triggers the action, and its parts are
 * pressed together.
 */
const Line = ({ keys, text }: { readonly keys: readonly (readonly string[])[]; readonly text: string }) => (
  <div className={styles.helpLine}>
    <dt className={styles.helpText}>{text}</dt>
    <dd className={styles.helpKeys}>
      {keys.map((parts) => (
        <span key={parts.join(' ')} className={styles.together}>
          {parts.map((part) => (
            <kbd key={part} className={styles.key}>
              {part}
            </kbd>
          ))}
        </span>
      ))}
    </dd>
  </div>
)
