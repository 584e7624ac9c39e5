import type { RouteName } from '../../src/shared/contract/routes.ts'
import type { Permission } from '../../src/shared/domain/access.ts'
import { statusRequest, type PermissionCase, type EndpointCallOptions } from './permission-case.ts'

type StatusOnlyPermissionCase = readonly [
  title: string,
  route: RouteName,
  needs: readonly Permission[],
  options: EndpointCallOptions,
  allowedStatus?: number,
]

const copy = (query: Record<string, string>): EndpointCallOptions => ({
  path: '/a.txt',
  query: { action: 'copy', ...query },
})
const rename = (query: Record<string, string>): EndpointCallOptions => copy({ ...query, action: 'rename' })
const rows = { accept: 'application/x-ndjson' }
const length = { 'upload-length': '3' }

/** Endpoints and the permissions that they require, according to contract 1.6. */
const statusOnlyCases: readonly StatusOnlyPermissionCase[] = [
  ['a folder', 'resources.get', [], {}],
  ['a folder as rows', 'resources.get', [], { headers: rows }],
  ['the description of a file', 'resources.get', [], { path: '/a.txt' }],
  ['a checksum', 'resources.get', ['download'], { path: '/a.txt', query: { checksum: 'md5' } }],
  [
    'a text file as its bytes',
    'resources.get',
    ['download'],
    { path: '/a.txt', headers: { 'x-encoding': 'true' } },
  ],
  ['a folder with all subfolders', 'resources.recursive', [], {}],
  ['a search', 'search.get', [], { query: { query: 'a' } }],
  ['a search in lines', 'search.get', [], { query: { query: 'a' }, headers: rows }],
  ['the disk usage', 'usage.get', [], {}],
  ['the size of a folder', 'du.get', [], {}],
  ['a file', 'raw.get', ['download'], { path: '/a.txt' }],
  ['a file inline', 'raw.get', ['download'], { path: '/a.txt', query: { inline: 'true' } }],
  ['a part of a file', 'raw.get', ['download'], { path: '/a.txt', headers: { range: 'bytes=0-0' } }, 206],
  ['an archive', 'raw.get', ['download'], { query: { algo: 'tar' } }],
  ['an archive of named entries', 'raw.get', ['download'], { query: { files: 'a.txt,docs/c.txt' } }],
  ['the list of an archive', 'archives.list', ['download'], { path: '/in.tar' }],
  ['a file in an archive', 'archives.member', ['download'], { path: '/in.tar', query: { member: 'in.txt' } }],
  ['an extraction', 'archives.extract', ['create', 'download'], { path: '/in.tar' }],
  ['a thumbnail', 'preview.get', ['download'], { path: '/dot.png', size: 'thumb' }],
  ['a large preview', 'preview.get', ['download'], { path: '/dot.png', size: 'big' }],
  ['the times of pictures', 'preview.taken', ['download'], {}],
  ['a subtitle', 'subtitles.get', ['download'], { path: '/film.srt' }],
  ['a new folder', 'resources.create', ['create'], { path: '/new/' }],
  ['a new file', 'resources.create', ['create'], { path: '/new/n.txt', body: 'N' }],
  [
    'a new file with override',
    'resources.create',
    ['create'],
    { path: '/n.txt', body: 'N', query: { override: 'true' } },
  ],
  [
    'an upload over a file',
    'resources.create',
    ['create', 'modify'],
    { path: '/a.txt', body: 'N', query: { override: 'true' } },
  ],
  ['a save', 'resources.save', ['modify'], { path: '/a.txt', body: 'N' }],
  ['a copy', 'resources.transfer', ['create'], copy({ destination: '/n.txt' })],
  [
    'a copy of a folder',
    'resources.transfer',
    ['create'],
    { path: '/docs', query: { action: 'copy', destination: '/n' } },
  ],
  [
    'a copy over a file',
    'resources.transfer',
    ['create', 'modify'],
    copy({ destination: '/b.txt', override: 'true' }),
  ],
  [
    'a copy with override',
    'resources.transfer',
    ['create', 'modify'],
    copy({ destination: '/n.txt', override: 'true' }),
  ],
  [
    'a copy under a free name',
    'resources.transfer',
    ['create'],
    copy({ destination: '/b.txt', rename: 'true' }),
  ],
  [
    'a copy with rename and override',
    'resources.transfer',
    ['create', 'modify'],
    copy({ destination: '/b.txt', rename: 'true', override: 'true' }),
  ],
  ['a new name', 'resources.transfer', ['rename'], rename({ destination: '/n.txt' })],
  ['a move', 'resources.transfer', ['rename'], rename({ destination: '/docs/a.txt' })],
  ['a rename to the same name', 'resources.transfer', ['rename'], rename({ destination: '/a.txt' })],
  [
    'a move over a file',
    'resources.transfer',
    ['rename', 'modify'],
    rename({ destination: '/b.txt', override: 'true' }),
  ],
  [
    'a move with override',
    'resources.transfer',
    ['rename', 'modify'],
    rename({ destination: '/docs/n.txt', override: 'true' }),
  ],
  [
    'a move under a free name',
    'resources.transfer',
    ['rename'],
    rename({ destination: '/b.txt', rename: 'true' }),
  ],
  ['a removal', 'resources.remove', ['delete'], { path: '/docs' }],
  ['a permanent removal', 'resources.remove', ['delete'], { path: '/a.txt', query: { permanent: 'true' } }],
  ['an upload in parts', 'tus.begin', ['create'], { path: '/n.txt', headers: length }, 201],
  [
    'an upload in parts with override',
    'tus.begin',
    ['create'],
    { path: '/n.txt', headers: length, query: { override: 'true' } },
    201,
  ],
  [
    'an upload in parts over a file',
    'tus.begin',
    ['create', 'modify'],
    { path: '/a.txt', headers: length, query: { override: 'true' } },
    201,
  ],
  ['the list of own shares', 'shares.list', ['share', 'download'], {}],
  ['the shares of an entry', 'shares.get', ['share', 'download'], { path: '/docs' }],
  ['a share', 'shares.create', ['share', 'download'], { path: '/docs', json: {} }],
  ['the settings', 'settings.get', ['admin'], {}],
  ['the options of the server', 'settings.options', ['admin'], {}],
  ['the report of a takeover', 'takeover.get', ['admin'], {}],
  ['a request as it arrived', 'doctor.echo', ['admin'], {}],
  ['a body that is thrown away', 'doctor.receive', ['admin'], { body: 'x' }],
  ['lines one after the other', 'doctor.stream', ['admin'], {}],
  ['the state of the server', 'overview.get', ['admin'], {}],
  ['the lines of hooks', 'hooks.list', ['admin'], {}],
  ['a trial of a hook', 'hooks.try', ['admin'], { json: { event: 'after_save', line: 'true' } }],
  ['the test file', 'doctor.file', ['admin'], {}],
  ['the audit log', 'audit.list', ['admin'], {}],
  ['an export of the audit log', 'audit.export', ['admin'], {}],
  ['the logo', 'settings.has-logo', ['admin'], {}],
  ['a new logo', 'settings.set-logo', ['admin'], { body: '<svg></svg>' }],
  ['the removal of the logo', 'settings.remove-logo', ['admin'], {}],
  ['a change of the settings', 'settings.update', ['admin'], { json: { signup: false } }],
  ['the list of users', 'users.list', ['admin'], {}],
  [
    'the reason of a decision about a path',
    'users.explain',
    ['admin'],
    { id: 1, json: { operation: 'view', path: '/' } },
  ],
  ['the sessions of a user', 'sessions.list-of', ['admin'], { id: 1 }],
  ['ending sessions of a user', 'sessions.end-of', ['admin'], { id: 1, json: { ids: [] } }],
  ['a trial of rules', 'rules.check', ['admin'], { json: { rules: [], path: '/' } }],
]

/** The test cases in which the status of the response is sufficient to decide whether the request was allowed. */
export const permissionCasesByStatus: readonly PermissionCase[] = statusOnlyCases.map(
  ([title, route, needs, options, allowedStatus = 200]) => ({
    title,
    route,
    needs,
    request: statusRequest(route, options),
    allowedOutcome: allowedStatus,
  }),
)
