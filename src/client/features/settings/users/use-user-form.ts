import { pickMembers } from '../../../../shared/contract/fields/fields.ts'
import { userForms } from '../../../../shared/contract/fields/user-fields.ts'
import { call, CallError, statusOf } from '../../../api/call.ts'
import { renewSession } from '../../../api/renewal.ts'
import { queryClient } from '../../../api/query-client.ts'
import {
  RefusedFields,
  useSave,
  type FieldFaults,
  type Refusal,
  type SaveState,
} from '../../../api/use-save.ts'
import { sentences } from '../../../i18n/joined-texts.ts'
import { t } from '../../../i18n/translate.ts'
import { checkGuards } from '../../../router/router.ts'
import { refusedPasswordText } from '../../../operations/refused-password.ts'
import { isSame } from '../../../state/drafts/merge-changes.ts'
import { useFormDraft, type FormDraft } from '../../../state/drafts/use-form-draft.ts'
import { notify } from '../../../state/notices.ts'
import { userOf } from '../../../state/session.ts'
import { refusedFieldOf, saveFailureText } from '../failure-text.ts'
import { asksForCurrentPassword } from '../profile/use-password-change.ts'
import { draftOfUser, isHomeOf, userTable, withChanges, type UserDraft } from './user-draft.ts'
import { userQuery } from '../users-query.ts'

type UserFormState = SaveState &
  Pick<FormDraft<UserDraft>, 'draft' | 'base'> & {
    readonly isDirty: boolean
    readonly change: (changes: Partial<UserDraft>) => void
  }

type UserFormOptions = {
  /** Null for a new user. */
  readonly id: number | null
  readonly initial: UserDraft
  /**
   * The folder in which a new user gets a home folder with the name of the user. Null when the scope does not depend on
   * the name.
   */
  readonly homeBase: string | null
  /** Called with the address of the new user's page. */
  readonly onCreated: (address: string) => void
}

/** Holds the form of a user. What was entered stays in the form when saving fails. */
export function useUserForm({ id, initial, homeBase, onCreated }: UserFormOptions): UserFormState {
  const { draft, base, change, isChanged, settle } = useFormDraft(initial)
  const form = useSave(draft, {
    send: (sent) => {
      refuseMissingFields(sent, { isNew: id === null, homeBase })
      return id === null ? createUser(sent, homeBase) : updateUser(id, base, sent)
    },
    onSaved: ({ stored, address }, sent) => {
      // Other administrators may have changed other fields since the form was opened.
      settle(stored, sent)
      if (address !== null) {
        onCreated(address)
        return
      }
      notify(t('settings.users.updated'))
      if (id === userOf()?.id) void renewSession().then(checkGuards)
    },
    explain: (thrown) => explainUserFailure(thrown, id !== null && base.perm.admin),
  })
  return {
    ...form,
    draft,
    base,
    isDirty: isChanged(userForms.user),
    change: (changes) => change((now) => withChanges(now, changes, homeBase)),
  }
}

/**
 * Throws when fields are empty that must not be. The empty scope of a copied user would be the root, or belongs to a name
 * that cannot be the name of a home folder.
 */
function refuseMissingFields(
  { scope, username, password, current }: UserDraft,
  { isNew, homeBase }: { readonly isNew: boolean; readonly homeBase: string | null },
): void {
  const isHomeless = homeBase !== null && scope.trim() === ''
  const faults = {
    ...(isHomeless && { scope: t('settings.users.enterScope') }),
    ...(username.trim() === '' && { username: t('settings.users.enterName') }),
    ...(isNew && password === '' && { password: t('settings.users.enterPassword') }),
    ...(current === '' && asksForCurrentPassword() && { current: t('settings.password.enterCurrent') }),
  }
  if (Object.keys(faults).length > 0) throw new RefusedFields(faults)
}

/** The fields of a user after a save, and the address of the page of a new user. */
type SavedUser = { readonly stored: UserDraft; readonly address: string | null }

const proofOf = ({ current }: UserDraft) => (current === '' ? {} : { current_password: current })

async function createUser(draft: UserDraft, homeBase: string | null): Promise<SavedUser> {
  const { current: _current, ...fields } = draft
  const isHome = isHomeOf(draft, homeBase)
  const response = await call('users.create', {
    body: {
      what: 'user',
      which: [],
      data: { ...fields, id: 0 },
      ...proofOf(draft),
      ...(isHome && { create_home: true }),
    },
  })
  void queryClient.invalidateQueries({ queryKey: ['users'] })
  return { stored: draft, address: response.headers.get('location') ?? '/settings/users' }
}

/** Sends the fields that differ from the stored user. When the user cannot be loaded afterwards, the sent fields count as stored. */
async function updateUser(id: number, base: UserDraft, draft: UserDraft): Promise<SavedUser> {
  const names = userForms.user.filter((name) => !isSame(base[name], draft[name]))
  if (names.length > 0) {
    await call('users.update', {
      id,
      body: { what: 'user', which: names, data: { id, ...pickMembers(draft, names) }, ...proofOf(draft) },
    })
    void queryClient.invalidateQueries({ queryKey: ['users'] })
  }
  const sent = { ...draft, password: '', current: '' }
  const stored = await queryClient.fetchQuery(userQuery(id)).then(draftOfUser, () => sent)
  return { stored, address: null }
}

/** Returns what a form says when the server refuses to change or to delete a user. */
export function explainUserFailure(thrown: unknown, isAdministrator: boolean): Refusal {
  const faults = faultsOf(thrown)
  return { faults, failure: Object.keys(faults).length === 0 ? failureTextOf(thrown, isAdministrator) : null }
}

function faultsOf(thrown: unknown): FieldFaults {
  if (!(thrown instanceof CallError)) return {}
  if (thrown.code === 'name-taken') return { username: t('login.taken') }
  if (thrown.code === 'wrong-password') return { current: t('settings.password.wrong') }
  const password = refusedPasswordText(thrown)
  return password === null ? refusedFieldOf(thrown, userTable) : { password }
}

/** Returns the sentence for a failure that belongs to no field. */
function failureTextOf(thrown: unknown, isAdministrator: boolean): string {
  if (statusOf(thrown) === 404) return t('settings.users.gone')
  return statusOf(thrown) === 403 && isAdministrator
    ? sentences(t('errors.forbidden'), t('settings.users.lastAdministrator'))
    : saveFailureText(thrown)
}
