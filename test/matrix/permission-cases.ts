import type { NewShare } from '../../src/shared/contract/shares.ts'
import { WebSocket } from 'ws'
import type { RouteName } from '../../src/shared/contract/routes.ts'
import { runCommandLine } from '../kit/command-socket.ts'
import { share, requestAsGuest } from '../kit/share.ts'
import type { SignedInUser } from '../kit/start-app.ts'
import { statusRequest, type PermissionCase, type PermissionCaseContext } from './permission-case.ts'
import { permissionCasesByStatus } from './permission-cases-by-status.ts'

/** Requests the description of a file as Ann. Some fields of the description require a permission. */
const descriptionOf = async (
  { ann, folder }: PermissionCaseContext,
  path: string,
): Promise<Record<string, unknown>> =>
  (await (await ann.call('resources.get', { path: folder + path })).json()) as Record<string, unknown>

const readCases: readonly PermissionCase[] = [
  {
    title: 'the content of a text file',
    route: 'resources.get',
    needs: ['download'],
    request: async (context) => (await descriptionOf(context, '/a.txt'))['content'],
    allowedOutcome: 'A',
    refusedOutcome: undefined,
  },
  {
    title: 'the size of an image',
    route: 'resources.get',
    needs: ['download'],
    request: async (context) => (await descriptionOf(context, '/dot.png'))['resolution'],
    allowedOutcome: { width: 1, height: 1 },
    refusedOutcome: undefined,
  },
  {
    title: 'a text file that is marked as editable',
    route: 'resources.get',
    needs: ['modify'],
    request: async (context) => (await descriptionOf(context, '/a.txt'))['type'],
    allowedOutcome: 'text',
    refusedOutcome: 'textImmutable',
  },
  {
    title: 'a ticket, and the file that it gives access to',
    route: 'tickets.create',
    needs: ['download'],
    async request({ ann, folder }) {
      const json = { path: `${folder}/a.txt`, kind: 'raw' }
      const ticket = await (await ann.call('tickets.create', { json })).text()
      return (await ann.fetch(`/api/raw${folder}/a.txt?auth=${ticket}`, { token: null })).status
    },
  },
  {
    title: 'a new archive',
    route: 'archives.create',
    needs: ['create', 'download'],
    request: async ({ ann, folder }) => {
      const json = { folder, names: ['a.txt'] }
      return (await ann.call('archives.create', { path: `${folder}/new.tar`, json })).status
    },
  },
  {
    title: 'the socket of changes',
    route: 'events.open',
    needs: [],
    request: ({ app, ann }) =>
      new Promise((resolve, reject) => {
        const headers = { 'x-auth': ann.token }
        const socket = new WebSocket(`${app.url.replace('http', 'ws')}/api/events`, { headers })
        socket.once('error', reject).once('open', () => {
          socket.close()
          resolve('open')
        })
      }),
    allowedOutcome: 'open',
  },
]

const lengthHeader = { 'upload-length': '3' }

type UploadStartOptions = { readonly path: string; readonly override?: 'true' }

/** Returns a function that begins an upload of three bytes as Ann. */
const beginUpload =
  ({ path, override }: UploadStartOptions) =>
  async ({ ann, folder }: PermissionCaseContext): Promise<string> => {
    const query = override === undefined ? {} : { override }
    await ann.call('tus.begin', { path: folder + path, headers: lengthHeader, query })
    return folder + path
  }

const partHeaders = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }

const partialUploadCases: readonly PermissionCase[] = [
  {
    title: 'the progress of an upload',
    route: 'tus.show',
    needs: ['create'],
    prepare: beginUpload({ path: '/n.txt' }),
    request: statusRequest('tus.show', { path: '/n.txt' }),
  },
  {
    title: 'a part of an upload',
    route: 'tus.continue',
    needs: ['create'],
    prepare: beginUpload({ path: '/n.txt' }),
    request: statusRequest('tus.continue', { path: '/n.txt', headers: partHeaders, body: 'new' }),
    allowedOutcome: 204,
  },
  {
    title: 'a part of an upload over a file',
    route: 'tus.continue',
    needs: ['create', 'modify'],
    prepare: beginUpload({ path: '/a.txt', override: 'true' }),
    request: statusRequest('tus.continue', { path: '/a.txt', headers: partHeaders, body: 'new' }),
    allowedOutcome: 204,
  },
  {
    title: 'aborting an own upload',
    route: 'tus.abort',
    needs: [],
    prepare: beginUpload({ path: '/n.txt' }),
    request: statusRequest('tus.abort', { path: '/n.txt' }),
    allowedOutcome: 204,
  },
]

const shareHashOf = async (owner: SignedInUser, path: string, options: NewShare = {}): Promise<string> =>
  (await share(owner, path, options)).hash

const changeShare = async (person: SignedInUser, hash: string): Promise<number> =>
  (await person.call('shares.update', { path: `/${hash}`, json: { mode: 'view-only' } })).status

const endNoReception = async (person: SignedInUser, hash: string): Promise<number> =>
  (await person.call('shares.end-reception', { path: `/${hash}/none` })).status

const shareCases: readonly PermissionCase[] = [
  {
    title: 'removing a share',
    route: 'shares.remove',
    needs: ['share', 'download'],
    prepare: ({ ann, folder }) => shareHashOf(ann, `${folder}/docs`),
    request: async ({ ann }, hash) => (await ann.call('shares.remove', { path: `/${hash}` })).status,
  },
  {
    title: "removing another user's share",
    route: 'shares.remove',
    needs: ['share', 'download', 'admin'],
    prepare: ({ ada, folder }) => shareHashOf(ada, `${folder}/docs`),
    request: async ({ ann }, hash) => (await ann.call('shares.remove', { path: `/${hash}` })).status,
  },
  {
    title: 'changing a share',
    route: 'shares.update',
    needs: ['share', 'download'],
    prepare: ({ ann, folder }) => shareHashOf(ann, `${folder}/docs`),
    request: ({ ann }, hash) => changeShare(ann, hash),
  },
  {
    title: "changing another user's share",
    route: 'shares.update',
    needs: ['share', 'download', 'admin'],
    prepare: ({ ada, folder }) => shareHashOf(ada, `${folder}/docs`),
    request: ({ ann }, hash) => changeShare(ann, hash),
  },
  {
    title: 'sharing a folder as upload-only',
    route: 'shares.create',
    needs: ['share', 'download', 'create'],
    request: async ({ ann, folder }) =>
      (await ann.call('shares.create', { path: `${folder}/docs`, json: { mode: 'upload-only' } })).status,
  },
  {
    title: 'making a share upload-only',
    route: 'shares.update',
    needs: ['share', 'download', 'create'],
    prepare: ({ ann, folder }) => shareHashOf(ann, `${folder}/docs`),
    request: async ({ ann }, hash) =>
      (await ann.call('shares.update', { path: `/${hash}`, json: { mode: 'upload-only' } })).status,
  },
  {
    title: 'the files that guests have sent',
    route: 'shares.received',
    needs: ['share', 'download'],
    prepare: ({ ann, folder }) => shareHashOf(ann, `${folder}/docs`),
    request: async ({ ann }, hash) => (await ann.call('shares.received', { path: `/${hash}` })).status,
  },
  {
    title: 'ending the upload of a guest',
    route: 'shares.end-reception',
    needs: ['share', 'download'],
    prepare: ({ ann, folder }) => shareHashOf(ann, `${folder}/docs`),
    request: ({ ann }, hash) => endNoReception(ann, hash),
    allowedOutcome: 404,
  },
  {
    title: "ending the upload of another user's guest",
    route: 'shares.end-reception',
    needs: ['share', 'download', 'admin'],
    prepare: ({ ada, folder }) => shareHashOf(ada, `${folder}/docs`),
    request: ({ ann }, hash) => endNoReception(ann, hash),
    allowedOutcome: 404,
  },
  {
    title: "a guest's file through Ann's upload-only link",
    route: 'public.drop',
    needs: ['share', 'create'],
    prepare: ({ ann, folder }) => shareHashOf(ann, `${folder}/docs`, { mode: 'upload-only' }),
    request: async ({ app }, hash) =>
      (await app.fetch(`/api/public/drop/${hash}/n.txt`, { method: 'POST', body: 'N', token: null })).status,
  },
  {
    title: "Ann's link, as a guest sees it",
    route: 'public.show',
    needs: ['share', 'download'],
    prepare: ({ ann, folder }) => shareHashOf(ann, `${folder}/docs`),
    request: async ({ app }, hash) => (await requestAsGuest(app, 'share', `${hash}/c.txt`)).status,
  },
  {
    title: "a guest's download through Ann's link",
    route: 'public.download',
    needs: ['share', 'download'],
    prepare: ({ ann, folder }) => shareHashOf(ann, `${folder}/docs`),
    request: async ({ app }, hash) => (await requestAsGuest(app, 'dl', hash)).status,
  },
  {
    title: "a picture of a file of Ann's link",
    route: 'public.preview',
    needs: ['share', 'download'],
    prepare: ({ ann, folder }) => shareHashOf(ann, `${folder}/dot.png`),
    request: async ({ app }, hash) =>
      (await app.fetch(`/api/public/preview/thumb/${hash}`, { token: null })).status,
  },
  {
    title: "the times of the pictures of Ann's link",
    route: 'public.taken',
    needs: ['share', 'download'],
    prepare: ({ ann, folder }) => shareHashOf(ann, `${folder}/docs`),
    request: async ({ app }, hash) => (await app.fetch(`/api/public/taken/${hash}`, { token: null })).status,
  },
]

const updateUserField =
  (route: RouteName, field: string) => async (context: PermissionCaseContext, id: string) => {
    const json = { what: 'user', which: [field], data: { id: Number(id), [field]: true } }
    return (await context.ann.call(route, { id: Number(id), json })).status
  }

/** Creates a user that only this cell uses. */
async function createUser({ ada, folder }: PermissionCaseContext): Promise<string> {
  const data = { username: folder.slice(1), password: 'a newcomer has one', scope: '.' }
  const response = await ada.call('users.create', { json: { what: 'user', which: [], data } })
  return response.headers.get('location')?.split('/').at(-1) ?? ''
}

const ownId = ({ ann }: PermissionCaseContext): Promise<string> => Promise.resolve(String(ann.user.id))

const userCases: readonly PermissionCase[] = [
  {
    title: 'a new user',
    route: 'users.create',
    needs: ['admin'],
    async request({ ann, folder }) {
      const data = { username: folder.slice(1), password: 'a newcomer has one', scope: '.' }
      return (await ann.call('users.create', { json: { what: 'user', which: [], data } })).status
    },
    allowedOutcome: 201,
  },
  {
    title: 'the own account',
    route: 'users.get',
    needs: [],
    request: async ({ ann }) => (await ann.call('users.get', { id: ann.user.id })).status,
  },
  {
    title: 'the account of another user',
    route: 'users.get',
    needs: ['admin'],
    request: async ({ ann, ada }) => (await ann.call('users.get', { id: ada.user.id })).status,
  },
  {
    title: 'a change of the own account',
    route: 'users.update',
    needs: [],
    prepare: ownId,
    request: updateUserField('users.update', 'singleClick'),
  },
  {
    title: 'a change of a field of the own account that only administrators may change',
    route: 'users.update',
    needs: ['admin'],
    prepare: ownId,
    request: updateUserField('users.update', 'lockPassword'),
  },
  {
    title: 'a change of another user',
    route: 'users.update',
    needs: ['admin'],
    prepare: createUser,
    request: updateUserField('users.update', 'singleClick'),
  },
  {
    title: 'removing another user',
    route: 'users.remove',
    needs: ['admin'],
    prepare: createUser,
    request: async ({ ann }, id) => (await ann.call('users.remove', { id: Number(id) })).status,
  },
]

const outputLinesOf = async (
  { app, ann, folder }: PermissionCaseContext,
  line: string,
): Promise<readonly string[]> => (await runCommandLine(app, ann, { path: folder, line })).lines

const commandCases: readonly PermissionCase[] = [
  {
    title: 'a command',
    route: 'command.run',
    needs: ['execute'],
    request: (context) => outputLinesOf(context, 'echo hello'),
    allowedOutcome: ['hello'],
    refusedOutcome: ['Command not allowed.'],
  },
  {
    title: 'a command that creates a file',
    route: 'command.run',
    needs: ['execute', 'create', 'rename', 'modify', 'delete'],
    isEnforcedBySandbox: true,
    async request(context) {
      await outputLinesOf(context, 'touch made')
      return (await context.ada.call('resources.get', { path: `${context.folder}/made` })).status
    },
    allowedOutcome: 200,
    refusedOutcome: 404,
  },
]

/** The test cases for every endpoint that requires a permission, or whose response depends on a permission. */
export const permissionCases: readonly PermissionCase[] = [
  ...permissionCasesByStatus,
  ...readCases,
  ...partialUploadCases,
  ...shareCases,
  ...userCases,
  ...commandCases,
]
