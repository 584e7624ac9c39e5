import { useState } from 'react'
import { auditActions } from '../../../../shared/domain/audit-actions.ts'
import { limits } from '../../../../shared/domain/limits.ts'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import styles from './audit-page.module.css'
import { noFilter, type AuditFilterFields } from './audit-query.ts'

type AuditFiltersProps = {
  readonly applied: AuditFilterFields
  readonly onApply: (filter: AuditFilterFields) => void
}

/** Renders the fields that select events. They take effect with the button or the Enter key. */
export function AuditFilters({ applied, onApply }: AuditFiltersProps) {
  const [fields, setFields] = useState(applied)
  const [shown, setShown] = useState(applied)
  // Back and a bookmark apply another filter.
  if (shown !== applied) {
    setShown(applied)
    setFields(applied)
  }
  const bind = (name: keyof AuditFilterFields) => ({
    value: fields[name],
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      setFields({ ...fields, [name]: target.value }),
  })
  const actions = auditActions.map((value) => ({ value, label: t(`settings.audit.action.${value}`) }))
  return (
    <search aria-label={t('settings.audit.filters')}>
      <form
        className={styles.filters}
        onSubmit={(event) => {
          event.preventDefault()
          onApply(fields)
        }}
      >
        <TextField
          type="search"
          label={t('settings.audit.text')}
          placeholder={t('settings.audit.textExample')}
          spellCheck={false}
          maxLength={limits.filterCharacters}
          {...bind('text')}
        />
        <TextField
          label={t('settings.audit.user')}
          spellCheck={false}
          autoCapitalize="none"
          maxLength={limits.filterCharacters}
          {...bind('user')}
        />
        <SelectField
          label={t('settings.audit.action')}
          options={[{ value: '', label: t('settings.audit.allActions') }, ...actions]}
          {...bind('action')}
        />
        <SelectField
          label={t('settings.audit.outcome')}
          options={[
            { value: '', label: t('settings.audit.allOutcomes') },
            { value: 'ok', label: t('settings.audit.ok') },
            { value: 'failed', label: t('settings.audit.failed') },
          ]}
          {...bind('outcome')}
        />
        <TextField type="date" label={t('settings.audit.from')} {...bind('from')} />
        <TextField type="date" label={t('settings.audit.to')} {...bind('to')} />
        <div className={styles.filterButtons}>
          <Button kind="primary" type="submit">
            {t('settings.audit.apply')}
          </Button>
          <Button
            onClick={() => {
              setFields(noFilter)
              onApply(noFilter)
            }}
          >
            {t('settings.audit.reset')}
          </Button>
        </div>
      </form>
    </search>
  )
}
