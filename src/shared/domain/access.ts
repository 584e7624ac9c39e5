/**
 * The names of the eight permissions of a user, as they are stored and sent. On the server, `admin` does not imply any
 * other permission.
 */
export const permissions = [
  'admin',
  'execute',
  'create',
  'rename',
  'modify',
  'delete',
  'share',
  'download',
] as const
export type Permission = (typeof permissions)[number]
export type Permissions = Readonly<Record<Permission, boolean>>

export const noPermissions: Permissions = Object.freeze(
  Object.fromEntries(permissions.map((name) => [name, false])) as Record<Permission, boolean>,
)

/**
 * Returns the permissions as they are stored: `admin` sets all other permissions. `execute` is only set while the
 * execution of commands is enabled (contract 19, A21).
 */
export const withAdminImplied = (perm: Permissions, isExecOn: boolean): Permissions =>
  perm.admin
    ? {
        ...(Object.fromEntries(permissions.map((name) => [name, true])) as Record<Permission, boolean>),
        execute: isExecOn || perm.execute,
      }
    : perm

/** A rule that allows or denies access to paths, as it is stored and sent (contract 1.7). */
export type AccessRule = {
  readonly regex: boolean
  readonly allow: boolean
  readonly path: string
  readonly regexp: { readonly raw: string } | null
}
