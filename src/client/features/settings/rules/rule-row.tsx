import { useRef } from 'react'
import { ArrowDown, ArrowUp, SearchX, X } from 'lucide'
import type { RuleCheck } from '../../../../shared/contract/users.ts'
import type { AccessRule } from '../../../../shared/domain/access.ts'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import { RulePathField } from './rule-path-field.tsx'
import styles from './rule-editor.module.css'

type RuleRowProps = {
  readonly rule: AccessRule
  /** The position in the list, from 1. */
  readonly number: number
  /** The reason why the server would refuse the rule, or null. */
  readonly fault: RuleCheck['faults'][number]['kind'] | null
  /** The server's hint about a path that nothing has now, or null. */
  readonly unmatched: RuleCheck['unmatched'][number] | null
  /** The folder whose entries are offered. Null for the folder of the administrator. */
  readonly scope: string | null
  readonly onChange: (changes: Partial<AccessRule>) => void
  /** Moves the rule. Null at the end of the list. */
  readonly onUp: (() => void) | null
  readonly onDown: (() => void) | null
  readonly onRemove: () => void
}

/**
 * Renders one rule. Enter in its text field does nothing (specification 2). A rule without a text would match every path
 * and override all rules above it, so that the form with the rule is not saved.
 */
export function RuleRow(props: RuleRowProps) {
  const { rule, number, fault, unmatched, scope, onChange, onUp, onDown, onRemove } = props
  const row = useRef<HTMLFieldSetElement>(null)
  const label = t(rule.regex ? 'settings.rules.expression' : 'settings.rules.path')
  const typed = rule.regex ? (rule.regexp?.raw ?? '') : rule.path
  const error = typed === '' ? 'settings.rules.empty' : fault && (`settings.rules.fault.${fault}` as const)
  const text = {
    className: styles.ruleText,
    label,
    isLabelHidden: true,
    placeholder: label,
    error: error && t(error),
    ...(error !== null && { 'data-unsendable': '' }),
  }
  return (
    <fieldset ref={row} className={styles.rule}>
      <legend className="visually-hidden">{t('settings.rules.number', { number })}</legend>
      <Checkbox
        label={t('settings.rules.regex')}
        checked={rule.regex}
        onChange={({ target }) => onChange({ regex: target.checked, regexp: rule.regexp ?? { raw: '' } })}
      />
      <Checkbox
        label={t('settings.rules.allow')}
        checked={rule.allow}
        onChange={({ target }) => onChange({ allow: target.checked })}
      />
      <div className={styles.buttons}>
        <IconButton
          icon={ArrowUp}
          label={t('settings.rules.up', { number })}
          disabled={onUp === null}
          onClick={() => onUp?.()}
        />
        <IconButton
          icon={ArrowDown}
          label={t('settings.rules.down', { number })}
          disabled={onDown === null}
          onClick={() => onDown?.()}
        />
        <IconButton icon={X} label={t('settings.rules.remove', { number })} onClick={onRemove} />
      </div>
      {rule.regex ? (
        <TextField
          {...text}
          spellCheck={false}
          autoCapitalize="none"
          dir="ltr"
          value={rule.regexp?.raw ?? ''}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) event.preventDefault()
          }}
          onChange={({ target }) => onChange({ regexp: { raw: target.value } })}
        />
      ) : (
        <RulePathField {...text} scope={scope} value={rule.path} onChange={(path) => onChange({ path })} />
      )}
      <div aria-live="polite" className={styles.status}>
        {unmatched !== null && error === null && (
          <UnmatchedNote
            path={rule.path}
            {...unmatched}
            onTake={(path) => {
              onChange({ path })
              // The button that had the focus goes away.
              row.current?.querySelector<HTMLElement>('input:not([type="checkbox"])')?.focus()
            }}
          />
        )}
      </div>
    </fieldset>
  )
}

type UnmatchedNoteProps = Pick<RuleCheck['unmatched'][number], 'folder' | 'suggestion'> & {
  readonly path: string
  /** Called with the similar path that the administrator chose. */
  readonly onTake: (path: string) => void
}

/** Says that nothing has the path of a rule now, and offers a similar path that exists. */
const UnmatchedNote = ({ path, folder, suggestion, onTake }: UnmatchedNoteProps) => (
  <div className={styles.unmatched}>
    <span className={styles.unmatchedText}>
      <Icon icon={SearchX} size={16} />
      <span>
        {folder === null
          ? t('settings.rules.unmatchedAnywhere', { path: visibleName(path) })
          : t('settings.rules.unmatched', { path: visibleName(path), folder: visibleName(folder) })}
      </span>
    </span>
    {suggestion !== null && (
      <Button onClick={() => onTake(suggestion)}>
        {t('settings.rules.suggestion', { path: visibleName(suggestion) })}
      </Button>
    )}
  </div>
)
