/** The actions that the audit log records, in the order in which filters offer them (docs/decisions, 64). */
export const auditActions = [
  'login',
  'logout',
  'signup',
  'session-end',
  'download',
  'upload',
  'create-folder',
  'edit',
  'copy',
  'move',
  'delete',
  'extract',
  'compress',
  'share-create',
  'share-change',
  'share-delete',
  'share-open',
  'reception-end',
  'user-create',
  'user-change',
  'user-delete',
  'settings-change',
  'requests-clear',
  'command',
  'access',
  'audit-export',
  'events-dropped',
] as const

export type AuditAction = (typeof auditActions)[number]

/**
 * The kinds of actors that cause an event: a user, the guest of a share, a client that is not logged in, or the server itself.
 */
export const auditActors = ['user', 'guest', 'nobody', 'server'] as const
export type AuditActor = (typeof auditActors)[number]
