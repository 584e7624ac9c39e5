import type { AuditAction } from '../../shared/domain/audit-actions.ts'
import type { RouteName } from '../../shared/contract/routes.ts'
import type { UntypedRequest } from '../http/route.ts'
import {
  archiveSubject,
  createdUserSubject,
  downloadSubject,
  entrySubject,
  extractionSubject,
  hookSubject,
  memberSubject,
  newShareSubject,
  noSubject,
  sessionSubject,
  sessionsOfUserSubject,
  settingsSubject,
  shareSubject,
  signupSubject,
  transferSubject,
  userSubject,
  visitSubject,
  type SubjectReader,
} from './subjects.ts'

/**
 * The calls of a route that are recorded: `changes` records each success and failure, `failures` only failures, because the
 * changes of files that such a call makes are recorded by themselves, `downloads`, `texts` and `views` a response with the
 * bytes of a file, `visits` a guest who opens a share, `logins` only failures, since the place that opens sessions records
 * the successful ones, and `refusals` only missing rights. The pages request `views` as often as they show a file, so that
 * views within 15 minutes are one download.
 */
export type RecordedCalls =
  | 'changes'
  | 'failures'
  | 'downloads'
  | 'texts'
  | 'views'
  | 'visits'
  | 'logins'
  | 'refusals'

/** The form in which the calls of one route appear in the audit log. */
export type RouteAudit = {
  readonly records: RecordedCalls
  readonly action: AuditAction | ((request: Pick<UntypedRequest, 'isFolder' | 'query'>) => AuditAction)
  readonly subject: SubjectReader
}

const changes = (action: RouteAudit['action'], subject: SubjectReader): RouteAudit => ({
  records: 'changes',
  action,
  subject,
})
const failures = (action: RouteAudit['action'], subject: SubjectReader): RouteAudit => ({
  records: 'failures',
  action,
  subject,
})
const upload = failures('upload', entrySubject)
const views: RouteAudit = { records: 'views', action: 'download', subject: downloadSubject }
const refusals: RouteAudit = { records: 'refusals', action: 'access', subject: entrySubject }
const refusalsWithoutPath: RouteAudit = { ...refusals, subject: noSubject }

/** The audit of each route. Null for routes whose calls reveal nothing about files, accounts or settings. */
export const auditOfRoutes: Readonly<Record<RouteName, RouteAudit | null>> = {
  'sessions.login': { records: 'logins', action: 'login', subject: noSubject },
  'sessions.signup': changes('signup', signupSubject),
  'sessions.renew': null,
  'sessions.logout': changes('logout', noSubject),
  'sessions.list': null,
  'sessions.end': changes('session-end', sessionSubject),
  'sessions.end-others': changes('session-end', noSubject),
  'sessions.list-of': refusalsWithoutPath,
  'sessions.end-of': changes('session-end', sessionsOfUserSubject),
  'tickets.create': null,
  'resources.get': { records: 'texts', action: 'download', subject: entrySubject },
  'resources.recursive': refusals,
  'resources.create': failures(({ isFolder }) => (isFolder ? 'create-folder' : 'upload'), entrySubject),
  'resources.save': failures('edit', entrySubject),
  'resources.transfer': failures(
    ({ query }) => (query['action'] === 'copy' ? 'copy' : 'move'),
    transferSubject,
  ),
  'resources.remove': failures('delete', entrySubject),
  'tus.begin': upload,
  'tus.show': null,
  'tus.continue': upload,
  'tus.abort': null,
  'archives.list': refusals,
  'archives.extract': failures('extract', extractionSubject),
  'archives.create': failures('compress', archiveSubject),
  'archives.member': { records: 'downloads', action: 'download', subject: memberSubject },
  'raw.get': { records: 'downloads', action: 'download', subject: downloadSubject },
  'preview.get': views,
  'preview.taken': refusals,
  'users.list': refusalsWithoutPath,
  'users.create': changes('user-create', createdUserSubject),
  'search.get': refusals,
  'subtitles.get': views,
  'usage.get': refusals,
  'du.get': refusals,
  'users.get': refusalsWithoutPath,
  'users.update': changes('user-change', userSubject),
  'users.remove': changes('user-delete', userSubject),
  'users.explain': refusalsWithoutPath,
  'rules.check': refusalsWithoutPath,
  'settings.get': refusalsWithoutPath,
  'settings.options': refusalsWithoutPath,
  'settings.has-logo': refusalsWithoutPath,
  'settings.set-logo': changes('settings-change', noSubject),
  'settings.remove-logo': changes('settings-change', noSubject),
  'settings.update': changes('settings-change', settingsSubject),
  'hooks.list': refusalsWithoutPath,
  'hooks.try': changes('hook', hookSubject),
  'overview.get': refusalsWithoutPath,
  'audit.list': refusalsWithoutPath,
  'audit.export': changes('audit-export', noSubject),
  'takeover.get': refusalsWithoutPath,
  'doctor.echo': refusalsWithoutPath,
  'doctor.receive': refusalsWithoutPath,
  'doctor.stream': refusalsWithoutPath,
  'doctor.file': refusalsWithoutPath,
  'shares.list': refusalsWithoutPath,
  'shares.get': refusals,
  'shares.create': changes('share-create', newShareSubject),
  'shares.update': changes('share-change', shareSubject),
  'shares.remove': changes('share-delete', shareSubject),
  'shares.received': refusalsWithoutPath,
  'shares.end-reception': changes('reception-end', shareSubject),
  'public.show': { records: 'visits', action: 'share-open', subject: visitSubject },
  'public.download': { records: 'downloads', action: 'download', subject: visitSubject },
  'public.preview': { ...views, subject: visitSubject },
  'public.taken': { ...refusals, subject: visitSubject },
  'public.drop': failures('upload', visitSubject),
  'command.run': null,
  'events.open': null,
  'openapi.get': null,
  'health.get': null,
  'metrics.get': null,
}
