import { useState } from 'react'
import { call, CallError, statusOf } from '../../../api/call.ts'
import { renewSession } from '../../../api/renewal.ts'
import { queryClient } from '../../../api/query-client.ts'
import { sentences } from '../../../i18n/joined-texts.ts'
import { t } from '../../../i18n/translate.ts'
import { checkGuards } from '../../../router/router.ts'
import { refusedValueOf } from '../../../operations/reason.ts'
import { refusedPasswordText } from '../../../operations/refused-password.ts'
import { notify } from '../../../state/notices.ts'
import { userOf } from '../../../state/session.ts'
import { saveFailureText } from '../failure-text.ts'
import { mergeChanges } from '../global/merge-changes.ts'
import { asksForCurrentPassword } from '../profile/use-password-change.ts'
import { useSave, type SaveState } from '../use-save.ts'
import { changedFields, draftOfUser, withChanges, type UserDraft } from './user-draft.ts'
import { userQuery } from './users-query.ts'

/** The sentences for the fields that the server or the form refused. */
export type UserFaults = Partial<
  Readonly<Record<'username' | 'password' | 'scope' | 'current' | 'rules', string>>
>

export type UserFormState = Pick<SaveState, 'isBusy' | 'failure'> & {
  readonly draft: UserDraft
  readonly isDirty: boolean
  /** The fields as the server has them. Each save creates a new object. */
  readonly stored: UserDraft
  readonly faults: UserFaults
  /** The administrator's own password, which the server checks before it changes a user. */
  readonly current: string
  readonly setCurrent: (current: string) => void
  readonly change: (changes: Partial<UserDraft>) => void
  readonly submit: () => Promise<void>
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
  const [stored, setStored] = useState(initial)
  const [draft, setDraft] = useState(initial)
  const [current, setCurrent] = useState('')
  const [faults, setFaults] = useState<UserFaults>({})
  const { isBusy, failure, save } = useSave((thrown) => {
    const found = faultsOf(thrown)
    setFaults(found)
    return Object.keys(found).length === 0 ? failureTextOf(thrown, id !== null && stored.perm.admin) : null
  })
  const changed = changedFields(stored, draft)
  const submit = async (): Promise<void> => {
    const missing = missingFields({ id, draft, current, homeBase })
    setFaults(missing)
    if (Object.keys(missing).length > 0) return
    const proof = current === '' ? {} : { current_password: current }
    if (id === null) {
      let address = ''
      const isSaved = await save(async () => {
        address = await createUser(draft, proof)
        setStored(draft)
      })
      if (isSaved) onCreated(address)
      return
    }
    const names = changed
    let saved: UserDraft = { ...draft, password: '' }
    const isSaved = await save(async () => {
      if (names.length > 0) await updateUser(id, { names, draft, proof })
      saved = (await fetchDraft(id)) ?? saved
    })
    if (!isSaved) return
    setStored(saved)
    // Other administrators may have changed other fields since the form was opened. Values that were entered while the
    // save was under way differ from the sent values, and stay.
    setDraft((now) => mergeChanges(draft, now, saved))
    setCurrent((now) => (now === current ? '' : now))
    notify(t('settings.users.updated'))
    if (id === userOf()?.id) void renewSession().then(checkGuards)
  }
  return {
    draft,
    stored,
    isBusy,
    failure,
    faults,
    current,
    isDirty: changed.length > 0,
    setCurrent: (text) => {
      setCurrent(text)
      setFaults({})
    },
    change: (changes) => {
      setDraft((now) => withChanges(now, changes, homeBase))
      setFaults({})
    },
    submit,
  }
}

type FormFields = Pick<UserFormOptions, 'id' | 'homeBase'> & {
  readonly draft: UserDraft
  readonly current: string
}

/**
 * Returns the sentences for the fields that are empty and must not be. The empty scope of a copied user would be the root, or
 * belongs to a name that cannot be the name of a home folder.
 */
function missingFields({ id, draft, current, homeBase }: FormFields): UserFaults {
  const isHomeless = homeBase !== null && draft.scope.trim() === ''
  return {
    ...(isHomeless && { scope: t('settings.users.enterScope') }),
    ...(draft.username.trim() === '' && { username: t('settings.users.enterName') }),
    ...(id === null && draft.password === '' && { password: t('settings.users.enterPassword') }),
    ...(current === '' && asksForCurrentPassword() && { current: t('settings.password.enterCurrent') }),
  }
}

type PasswordProof = { readonly current_password?: string }

/** Creates a user, and returns the address of the user's page. */
async function createUser(draft: UserDraft, proof: PasswordProof): Promise<string> {
  const response = await call('users.create', {
    body: { what: 'user', which: [], data: { ...draft, id: 0 }, ...proof },
  })
  void queryClient.invalidateQueries({ queryKey: ['users'] })
  return response.headers.get('location') ?? '/settings/users'
}

type UserUpdate = {
  readonly names: readonly (keyof UserDraft)[]
  readonly draft: UserDraft
  readonly proof: PasswordProof
}

async function updateUser(id: number, { names, draft, proof }: UserUpdate): Promise<void> {
  const data = Object.fromEntries(names.map((name) => [name, draft[name]]))
  await call('users.update', {
    id,
    body: { what: 'user', which: [...names], data: { id, ...data }, ...proof },
  })
  void queryClient.invalidateQueries({ queryKey: ['users'] })
}

/** Loads the stored user after a save. Null when it cannot be loaded, which does not make the save fail. */
const fetchDraft = (id: number): Promise<UserDraft | null> =>
  queryClient.fetchQuery(userQuery(id)).then(draftOfUser, () => null)

/** Returns the sentences for the fields that the server refused. Empty for any other failure. */
export function faultsOf(thrown: unknown): UserFaults {
  if (!(thrown instanceof CallError)) return {}
  if (thrown.code === 'name-taken') return { username: t('login.taken') }
  if (thrown.code === 'wrong-password') return { current: t('settings.password.wrong') }
  const password = refusedPasswordText(thrown)
  if (password !== null) return { password }
  if (thrown.refused === 'username') return { username: t('settings.users.badName') }
  return thrown.refused === 'rules' ? { rules: t('settings.rules.refused') } : {}
}

/** Returns the sentence for a failure that belongs to no field. */
export function failureTextOf(thrown: unknown, isAdministrator: boolean): string {
  if (statusOf(thrown) === 404) return t('settings.users.gone')
  if (statusOf(thrown) === 403 && isAdministrator)
    return sentences(t('errors.forbidden'), t('settings.users.lastAdministrator'))
  return refusedValueOf(thrown) === 'share-without-download'
    ? t('settings.users.shareNeedsDownload')
    : saveFailureText(thrown)
}
