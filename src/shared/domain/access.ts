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

export const allPermissions: Permissions = Object.freeze(
  Object.fromEntries(permissions.map((name) => [name, true])) as Record<Permission, boolean>,
)

/**
 * Returns the permissions as they are stored: `admin` sets all other permissions. `execute` is only set while the
 * execution of commands is enabled (contract 19, A21).
 */
export const withAdminImplied = (perm: Permissions, isExecOn: boolean): Permissions =>
  perm.admin
    ? {
        ...allPermissions,
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

/**
 * The operations on an entry that an administrator can ask about, with the permissions that each of them needs. Moving
 * and copying have a destination. The server requires these permissions, and the screens name them.
 */
export const operationPermissions = {
  view: [],
  download: ['download'],
  create: ['create'],
  save: ['modify'],
  move: ['rename'],
  copy: ['create'],
  delete: ['delete'],
  share: ['share', 'download'],
  execute: ['execute'],
} as const satisfies Readonly<Record<string, readonly Permission[]>>

export type EntryOperation = keyof typeof operationPermissions

export const entryOperations = Object.keys(operationPermissions) as readonly EntryOperation[]
