import { useEffect, useState } from 'react'
import { call, CallError, statusOf } from '../../../api/call.ts'
import { config } from '../../../api/config.ts'
import { queryClient } from '../../../api/query-client.ts'
import { t } from '../../../i18n/translate.ts'
import { refusedPasswordText } from '../../../operations/refused-password.ts'
import { notify } from '../../../state/notices.ts'
import { createPersonalStore } from '../../../state/personal.ts'
import { userOf } from '../../../state/session.ts'
import { useStore } from '../../../state/store.ts'
import { saveFailureText } from '../failure-text.ts'
import { useSave, type SaveState } from '../use-save.ts'
import { sessionsKey } from './sessions-query.ts'

/** The texts of the form, in the order of its fields. */
export type PasswordFields = {
  readonly current: string
  readonly password: string
  readonly confirmation: string
}

const emptyFields: PasswordFields = { current: '', password: '', confirmation: '' }

/** What was typed. It stays while all screens are mounted again for another language, and goes when the page is left. */
const typedFields = createPersonalStore(emptyFields)

/** True while the form is on screen. */
let isShown = false

function useTypedFields(): PasswordFields {
  useEffect(() => {
    isShown = true
    return () => {
      isShown = false
      setTimeout(() => {
        if (!isShown) typedFields.set(emptyFields)
      })
    }
  }, [])
  return useStore(typedFields)
}

export type PasswordChange = Pick<SaveState, 'isBusy' | 'failure'> & {
  readonly fields: PasswordFields
  /** The reason why the server or the form refused a field, or null. */
  readonly faults: { readonly current: string | null; readonly password: string | null }
  readonly type: (changes: Partial<PasswordFields>) => void
  readonly submit: () => Promise<void>
}

/** True where users log in with a password, which they then have to enter before they change it. */
export const asksForCurrentPassword = (): boolean => config().AuthMethod === 'json' && !config().NoAuth

const noFaults = { current: null, password: null }

/**
 * Holds the form for a new password. Nothing is sent while the new password is empty or differs from its confirmation
 * (specification 5). The other sessions of the user end with the change.
 */
export function usePasswordChange(): PasswordChange {
  const fields = useTypedFields()
  const [faults, setFaults] = useState<PasswordChange['faults']>(noFaults)
  const { isBusy, failure, save } = useSave((thrown) => {
    const found = faultsOf(thrown)
    setFaults(found)
    return found === noFaults ? saveFailureText(thrown) : null
  })
  const submit = async (): Promise<void> => {
    const { current, password, confirmation } = fields
    const user = userOf()
    if (user === null || password === '' || password !== confirmation) return
    if (current === '' && asksForCurrentPassword()) {
      setFaults({ ...noFaults, current: t('settings.password.enterCurrent') })
      return
    }
    setFaults(noFaults)
    if (!(await save(() => sendPassword(user.id, password, current)))) return
    typedFields.set(emptyFields)
    notify(t('settings.password.updated'))
    void queryClient.invalidateQueries({ queryKey: sessionsKey })
  }
  return {
    isBusy,
    failure,
    fields,
    faults,
    type: (changes) => {
      typedFields.set((before) => ({ ...before, ...changes }))
      setFaults(noFaults)
    },
    submit,
  }
}

const sendPassword = (id: number, password: string, current: string): Promise<unknown> =>
  call('users.update', {
    id,
    body: {
      what: 'user',
      which: ['password'],
      data: { id, password },
      ...(current !== '' && { current_password: current }),
    },
  })

/** Returns the reasons for the fields when the server refuses a password, or `noFaults` for any other failure. */
function faultsOf(thrown: unknown): PasswordChange['faults'] {
  if (statusOf(thrown) !== 400 || !(thrown instanceof CallError)) return noFaults
  if (thrown.code === 'wrong-password') return { current: t('settings.password.wrong'), password: null }
  return { current: null, password: refusedPasswordText(thrown) ?? t('settings.password.notAllowed') }
}
