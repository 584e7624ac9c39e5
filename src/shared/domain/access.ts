/** The eight permissions of a user, as stored and as sent. On the server, `admin` implies none of the others. */
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
 * Returns the permissions as they are stored: `admin` sets all others, `execute` only while execution is switched on
 * (contract 19, A21).
 */
export const withAdminImplied = (perm: Permissions, isExecOn: boolean): Permissions =>
  perm.admin
    ? {
        ...(Object.fromEntries(permissions.map((name) => [name, true])) as Record<Permission, boolean>),
        execute: isExecOn || perm.execute,
      }
    : perm

/** A rule as stored and as sent (contract 1.7). */
export type Rule = {
  readonly regex: boolean
  readonly allow: boolean
  readonly path: string
  readonly regexp: { readonly raw: string } | null
}
