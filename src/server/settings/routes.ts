import { getSettings, updateSettings } from '../../shared/contract/settings.ts'
import { done, route, type Route } from '../http/route.ts'
import type { SettingsStore, User } from '../records/port.ts'
import { complete, type CompleteNeeds } from './complete.ts'
import { settingsResource } from './settings-resource.ts'

export type SettingsNeeds = CompleteNeeds & {
  readonly settings: Pick<SettingsStore, 'get' | 'change'>
  /** `wrong-password` for a password that is given and is not the user's. */
  readonly checkCurrentPassword: (user: User, password: string | null | undefined) => Promise<void>
  /** Told when settings have changed, before the answer leaves. */
  readonly onChange: () => Promise<void>
}

/** The calls under `/api/settings`: in effect at the next request. */
export const settingsRoutes = (needs: SettingsNeeds): readonly Route[] => [
  route(getSettings, async () => ({ kind: 'json', json: settingsResource(await needs.settings.get()) })),
  route(updateSettings, async ({ caller, body }) => {
    await needs.checkCurrentPassword(caller.user, body.current_password)
    await needs.settings.change(await complete(needs, body, await needs.settings.get()))
    await needs.onChange()
    return done
  }),
]
