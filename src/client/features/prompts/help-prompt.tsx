import { useState } from 'react'
import { config } from '../../api/config.ts'
import { t } from '../../i18n/translate.ts'
import { letterKeys, signKeys } from '../../state/device/key-preferences.ts'
import { closePrompt } from '../../state/prompt.ts'
import { type Store, useStore } from '../../state/store.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Credits } from '../../ui/credits.tsx'
import { Dialog, focusFirst } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useMedia } from '../../ui/measuring/use-media.ts'
import { filterSections, type HelpLine, type HelpSection, helpSections } from './help-sections.ts'
import styles from './help.module.css'

/** Lists the keys and gestures that work for the current user, with a field that filters the list, and names the version of the program. */
export function HelpPrompt() {
  const isTouch = useMedia('(pointer: coarse)')
  const [filter, setFilter] = useState('')
  const signs = useStore(signKeys)
  const letters = useStore(letterKeys)
  const sections = filterSections(helpSections(isTouch), filter)
  return (
    <Dialog
      title={t('prompt.help.title')}
      width="wide"
      onClose={closePrompt}
      actions={
        <Button kind="primary" ref={isTouch ? focusFirst : null} onClick={closePrompt}>
          {t('buttons.ok')}
        </Button>
      }
    >
      <TextField
        label={t('prompt.help.filter')}
        isLabelHidden
        placeholder={t('prompt.help.filter')}
        value={filter}
        ref={isTouch ? null : focusFirst}
        onChange={(event) => setFilter(event.target.value)}
        className={styles.filter}
      />
      <div className={styles.help}>
        {sections.map((section) => (
          <Section key={section.id} section={section} />
        ))}
      </div>
      {sections.length === 0 && <p className={styles.nothing}>{t('prompt.help.nothing')}</p>}
      <fieldset className={styles.choices}>
        <legend className={styles.title}>{t('prompt.help.choices')}</legend>
        <KeyChoice label={t('prompt.help.signKeys')} store={signKeys} value={signs} />
        <KeyChoice label={t('prompt.help.letterKeys')} store={letterKeys} value={letters} />
      </fieldset>
      <Credits
        version={config().Version}
        link={config().ReportIssueURL}
        isLinkHidden={config().DisableExternal}
      />
    </Dialog>
  )
}

type KeyChoiceProps = {
  readonly label: string
  readonly store: Store<'on' | 'off'>
  readonly value: 'on' | 'off'
}

const KeyChoice = ({ label, store, value }: KeyChoiceProps) => (
  <Checkbox
    label={label}
    checked={value === 'on'}
    onChange={(event) => store.set(event.target.checked ? 'on' : 'off')}
  />
)

const Section = ({ section: { id, lines } }: { readonly section: HelpSection }) => (
  <section data-section={id}>
    <h3 className={styles.title}>{t(`prompt.help.section.${id}`)}</h3>
    <dl className={styles.lines}>
      {lines.map((line) => (
        <Line key={line.text} line={line} />
      ))}
    </dl>
  </section>
)

const Line = ({ line: { text, ways } }: { readonly line: HelpLine }) => (
  <div className={styles.line}>
    <dt className={styles.keys}>
      {ways.map((parts) => (
        // Combinations are read from left to right in every language.
        <span key={parts.join(' ')} className={styles.together} dir="ltr">
          {parts.map((part, at) => (
            <span key={part}>
              {at > 0 && ' + '}
              <kbd className={styles.key}>{part}</kbd>
            </span>
          ))}
        </span>
      ))}
    </dt>
    <dd className={styles.text}>{text}</dd>
  </div>
)
