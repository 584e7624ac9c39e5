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
  'hook',
  'access',
  'audit-export',
  'events-dropped',
] as const

export type AuditAction = (typeof auditActions)[number]

/**
 * How much the log needs an event of an action (docs/decisions, 101 and 123). `essential`: logins, and changes of rights, accounts
 * and settings. `sharing`: changes of shares, of which a user can cause any number. `detail`: reads and uploads, of which anybody
 * can cause any number. `ordinary`: everything else.
 */
export type AuditImportance = 'essential' | 'sharing' | 'ordinary' | 'detail'

export const auditImportance: Readonly<Record<AuditAction, AuditImportance>> = {
  login: 'essential',
  logout: 'essential',
  signup: 'essential',
  'session-end': 'essential',
  download: 'detail',
  upload: 'detail',
  'create-folder': 'ordinary',
  edit: 'ordinary',
  copy: 'ordinary',
  move: 'ordinary',
  delete: 'ordinary',
  extract: 'ordinary',
  compress: 'ordinary',
  'share-create': 'sharing',
  'share-change': 'sharing',
  'share-delete': 'sharing',
  'share-open': 'detail',
  'reception-end': 'ordinary',
  'user-create': 'essential',
  'user-change': 'essential',
  'user-delete': 'essential',
  'settings-change': 'essential',
  'requests-clear': 'essential',
  command: 'ordinary',
  hook: 'ordinary',
  access: 'detail',
  'audit-export': 'essential',
  'events-dropped': 'essential',
}

/** The ranks of events, the least important first. Where there is no room for all events, those of the first rank go first. */
export const auditRanks = ['detail', 'ordinary', 'failed-essential', 'sharing', 'essential'] as const
export type AuditRank = (typeof auditRanks)[number]

/**
 * Returns the rank of an event. Strangers can cause failed logins, so these must not displace the successful ones. A failed change
 * of a share has changed nothing.
 */
export function auditRankOf({
  action,
  outcome,
}: {
  readonly action: AuditAction
  readonly outcome: string
}): AuditRank {
  const importance = auditImportance[action]
  if (outcome === 'ok') return importance
  if (importance === 'sharing') return 'ordinary'
  return importance === 'essential' ? 'failed-essential' : importance
}

/**
 * The kinds of actors that cause an event: a user, the guest of a share, a client that is not logged in, or the server itself.
 */
export const auditActors = ['user', 'guest', 'nobody', 'server'] as const
export type AuditActor = (typeof auditActors)[number]
