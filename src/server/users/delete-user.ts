import type { Actor } from '../access/actor.ts'
import { checkCurrentPassword } from './user-passwords.ts'
import type { UserDependencies } from './user-dependencies.ts'

/** The id of the user to remove, and the actor's own password, which is checked when it is given. */
export type UserRemoval = { readonly id: number; readonly currentPassword: string | null | undefined }

/** Removes a user. The last administrator cannot be removed (contract 10.5). */
export async function deleteUser(
  dependencies: UserDependencies,
  actor: Pick<Actor, 'user'>,
  { id, currentPassword }: UserRemoval,
): Promise<void> {
  await checkCurrentPassword(dependencies, actor.user, currentPassword)
  await dependencies.removeUser(id)
}
