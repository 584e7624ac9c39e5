import { useState } from 'react'
import type { AccessExplanation } from '../../../../shared/contract/users.ts'
import { entryOperations, type EntryOperation } from '../../../../shared/domain/access.ts'
import { callJson } from '../../../api/call.ts'
import { config } from '../../../api/config.ts'
import { useSave } from '../../../api/use-save.ts'
import { t } from '../../../i18n/translate.ts'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { explainFailure } from '../failure-text.ts'
import { SettingsCard, SettingsForm } from '../settings-card.tsx'
import { ExplanationSteps } from './explanation-steps.tsx'
import type { UserDraft } from './user-draft.ts'

/** An explanation, with the question as it was sent and the fields that the user had then. */
type Answer = {
  readonly question: string
  readonly stored: UserDraft
  readonly explanation: AccessExplanation
}

type AccessCardProps = {
  readonly id: number
  /** The fields of the user as the server has them. An answer is shown as long as the fields and the question stay the same. */
  readonly stored: UserDraft
}

/** Lets the administrator ask whether a stored user may do something with an entry, and what decides. */
export function AccessCard({ id, stored }: AccessCardProps) {
  const [operation, setOperation] = useState<EntryOperation>('view')
  const [path, setPath] = useState('/')
  const [to, setTo] = useState('/')
  const [command, setCommand] = useState('')
  const [answer, setAnswer] = useState<Answer | null>(null)
  const hasDestination = operation === 'move' || operation === 'copy'
  const isCommand = operation === 'execute'
  const body = {
    operation,
    path: path || '/',
    ...(hasDestination && { to: to || '/' }),
    ...(isCommand && { command }),
  }
  const question = JSON.stringify(body)
  // The fields may change while the request is in flight.
  const isCurrent = answer?.stored === stored && answer.question === question
  const form = useSave(
    { question, body, stored },
    {
      send: (asked) => {
        setAnswer(null)
        return callJson('users.explain', { id, body: asked.body })
      },
      onSaved: (explanation, asked) => setAnswer({ ...asked, explanation }),
      explain: explainFailure,
    },
  )
  return (
    <SettingsCard title={t('settings.why')} hint={t('settings.why.hint')}>
      <SettingsForm {...form} isDirty={false} submitLabel={t('settings.why.ask')}>
        <SelectField
          label={t('settings.why.operation')}
          value={operation}
          options={entryOperations
            .filter((name) => name !== 'execute' || config().EnableExec)
            .map((name) => ({ value: name, label: t(`settings.why.operation.${name}`) }))}
          onChange={({ target }) => setOperation(target.value as EntryOperation)}
        />
        {isCommand && (
          <TextField
            label={t('settings.why.command')}
            value={command}
            dir="ltr"
            spellCheck={false}
            autoCapitalize="none"
            {...(command.trim() === '' && { 'data-unsendable': '' })}
            onChange={({ target }) => setCommand(target.value)}
          />
        )}
        <TextField
          label={t(isCommand ? 'settings.why.folder' : 'settings.why.path')}
          value={path}
          dir="ltr"
          spellCheck={false}
          autoCapitalize="none"
          onChange={({ target }) => setPath(target.value)}
        />
        {hasDestination && (
          <TextField
            label={t('settings.why.to')}
            value={to}
            dir="ltr"
            spellCheck={false}
            autoCapitalize="none"
            onChange={({ target }) => setTo(target.value)}
          />
        )}
      </SettingsForm>
      <div aria-live="polite">{isCurrent && <ExplanationSteps explanation={answer.explanation} />}</div>
    </SettingsCard>
  )
}
