import { flushSync } from 'react-dom'
import { pickMembers } from '../../../../shared/contract/fields/fields.ts'
import { userFields, userForms } from '../../../../shared/contract/fields/user-fields.ts'
import type { TokenUser } from '../../../../shared/contract/users.ts'
import { useSave } from '../../../api/use-save.ts'
import { t } from '../../../i18n/translate.ts'
import { savePreferences, showPreferences } from '../../../operations/save-preferences.ts'
import { useFormDraft } from '../../../state/drafts/use-form-draft.ts'
import { notify } from '../../../state/notices.ts'
import { useUser } from '../../../state/session.ts'
import { explainFailure } from '../failure-text.ts'
import { Fields } from '../form/fields.tsx'
import { LeavePrompt } from '../leave-prompt.tsx'
import { SettingsCard, SettingsForm } from '../settings-card.tsx'

/** Renders the preferences of the signed-in user, which act on every screen as soon as they are saved. */
export function PreferencesCard() {
  const user = useUser()
  return user === null ? null : <PreferencesForm user={user} />
}

const names = userForms.preferences

function PreferencesForm({ user }: { readonly user: TokenUser }) {
  const { draft, change, isChanged, settle } = useFormDraft(pickMembers(user, names))
  const changed = names.filter((name) => isChanged([name]))
  const isDirty = changed.length > 0
  const form = useSave(draft, {
    send: async (sent) => {
      const changes = pickMembers(sent, changed)
      if (isDirty) await savePreferences(changes)
      return changes
    },
    onSaved: (changes, sent) => {
      // The draft must know what was stored before it sees the changed user, or it would drop what was changed back meanwhile.
      flushSync(() => settle(sent, sent))
      showPreferences(changes)
      notify(t('settings.updated'))
    },
    explain: explainFailure,
  })
  return (
    <SettingsCard title={t('settings.preferences')}>
      <SettingsForm {...form} isDirty={isDirty}>
        <Fields table={userFields} names={names} values={draft} onChange={change} />
      </SettingsForm>
      <LeavePrompt isDirty={isDirty} />
    </SettingsCard>
  )
}
