import { useEffect } from 'react'
import type { TokenUser } from '../../../../shared/contract/users.ts'
import { call, CallError, statusOf } from '../../../api/call.ts'
import { config } from '../../../api/config.ts'
import { queryClient } from '../../../api/query-client.ts'
import { RefusedFields, useSave, type Refusal, type SaveState } from '../../../api/use-save.ts'
import { t } from '../../../i18n/translate.ts'
import { refusedPasswordText } from '../../../operations/refused-password.ts'
import { notify } from '../../../state/notices.ts'
import { createPersonalStore } from '../../../state/personal.ts'
import { useStore } from '../../../state/store.ts'
import { explainFailure } from '../failure-text.ts'
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

export type PasswordChange = SaveState & {
  readonly fields: PasswordFields
  readonly type: (changes: Partial<PasswordFields>) => void
}

/** True where users log in with a password, which they then have to enter before they change it. */
export const asksForCurrentPassword = (): boolean => config().AuthMethod === 'json' && !config().NoAuth

/**
 * Holds the form for a new password. Nothing is sent while the new password is empty or differs from its confirmation
 * (specification 5). The other sessions of the user end with the change.
 */
export function usePasswordChange(user: TokenUser | null): PasswordChange {
  const fields = useTypedFields()
  const form = useSave(fields, {
    send: async ({ current, password }) => {
      if (current === '' && asksForCurrentPassword())
        throw new RefusedFields({ current: t('settings.password.enterCurrent') })
      if (user !== null) await sendPassword(user.id, password, current)
    },
    onSaved: () => {
      typedFields.set(emptyFields)
      notify(t('settings.password.updated'))
      void queryClient.invalidateQueries({ queryKey: sessionsKey })
    },
    explain,
  })
  const isComplete = fields.password !== '' && fields.password === fields.confirmation
  return {
    ...form,
    fields,
    type: (changes) => typedFields.set((before) => ({ ...before, ...changes })),
    submit: () => {
      if (isComplete) form.submit()
    },
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

/** Returns the reasons for the fields when the server refuses a password. */
function explain(thrown: unknown): Refusal {
  if (statusOf(thrown) !== 400 || !(thrown instanceof CallError)) return explainFailure(thrown)
  if (thrown.code === 'wrong-password')
    return { faults: { current: t('settings.password.wrong') }, failure: null }
  const password = refusedPasswordText(thrown) ?? t('settings.password.notAllowed')
  return { faults: { password }, failure: null }
}
