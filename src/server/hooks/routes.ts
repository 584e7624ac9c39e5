import { listHooks, tryHook } from '../../shared/contract/settings.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { jsonResponse } from '../http/response/json-response.ts'
import { route, type Route } from '../http/route.ts'
import type { Account } from '../records/user-store.ts'
import { listHookLines, type HookLineDependencies } from './list-lines.ts'
import { tryHookLine, type HookTrialDependencies } from './try-line.ts'

export type HookRouteDependencies = HookLineDependencies &
  HookTrialDependencies & {
    /** True when this server runs programs. */
    readonly isExecOn: boolean
    /** Throws `wrong-password` when a password is given and is not the user's password. */
    readonly checkCurrentPassword: (user: Account, password: string | null | undefined) => Promise<void>
  }

/** Returns the routes below `/api/hooks`. */
export const hookRoutes = (dependencies: HookRouteDependencies): readonly Route[] => [
  route(listHooks, async () => jsonResponse(dependencies.isExecOn ? await listHookLines(dependencies) : [])),
  route(tryHook, async ({ caller, body, signal }) => {
    await dependencies.checkCurrentPassword(caller.user, body.current_password)
    if (!dependencies.isExecOn) throw new AppError('unsupported', { reason: 'this server runs no programs' })
    const { event, line } = body
    const { username } = caller.user
    return jsonResponse(await tryHookLine(dependencies, { event, line, username, signal }))
  }),
]
