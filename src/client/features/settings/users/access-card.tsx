import { useState } from 'react'
import type { AccessExplanation } from '../../../../shared/contract/users.ts'
import { entryOperations, type EntryOperation } from '../../../../shared/domain/access.ts'
import { callJson } from '../../../api/call.ts'
import { t } from '../../../i18n/translate.ts'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { SettingsCard, SettingsForm } from '../settings-card.tsx'
import { useSave } from '../use-save.ts'
import { ExplanationSteps } from './explanation-steps.tsx'

/** Lets the administrator ask whether a stored user may do something with an entry, and what decides. */
export function AccessCard({ id }: { readonly id: number }) {
  const [operation, setOperation] = useState<EntryOperation>('view')
  const [path, setPath] = useState('/')
  const [to, setTo] = useState('/')
  const [explanation, setExplanation] = useState<AccessExplanation | null>(null)
  const { isBusy, failure, save } = useSave()
  const hasDestination = operation === 'move' || operation === 'copy'
  const ask = (): Promise<boolean> =>
    save(async () => {
      setExplanation(null)
      const body = { operation, path: path || '/', ...(hasDestination && { to: to || '/' }) }
      setExplanation(await callJson('users.explain', { id, body }))
    })
  return (
    <SettingsCard title={t('settings.why')} hint={t('settings.why.hint')}>
      <SettingsForm
        isBusy={isBusy}
        isDirty={false}
        failure={failure}
        submitLabel={t('settings.why.ask')}
        onSubmit={() => void ask()}
      >
        <SelectField
          label={t('settings.why.operation')}
          value={operation}
          options={entryOperations.map((name) => ({
            value: name,
            label: t(`settings.why.operation.${name}`),
          }))}
          onChange={({ target }) => {
            setOperation(target.value as EntryOperation)
            setExplanation(null)
          }}
        />
        <TextField
          label={t('settings.why.path')}
          value={path}
          dir="ltr"
          spellCheck={false}
          autoCapitalize="none"
          onChange={({ target }) => {
            setPath(target.value)
            setExplanation(null)
          }}
        />
        {hasDestination && (
          <TextField
            label={t('settings.why.to')}
            value={to}
            dir="ltr"
            spellCheck={false}
            autoCapitalize="none"
            onChange={({ target }) => {
              setTo(target.value)
              setExplanation(null)
            }}
          />
        )}
      </SettingsForm>
      <div aria-live="polite">{explanation !== null && <ExplanationSteps explanation={explanation} />}</div>
    </SettingsCard>
  )
}
