import { childOf, type Path } from '../../shared/domain/path.ts'
import { t } from '../i18n/translate.ts'
import { editUrl, filesUrl } from '../router/router.ts'
import type { ListedEntry } from '../state/listed-entry.ts'
import type { OperationContext } from './operation-context.ts'
import { reasonOf } from './reason.ts'
import { beginRowOperation } from './begin-row-operation.ts'

type TypedName = { readonly folder: Path; readonly name: string }

type CreateRequest = TypedName & {
  /** Called with the reason when the server refuses. */
  readonly onRefusal: (reason: string) => void
}

/**
 * Creates a folder and opens it. Its row is shown immediately, and is removed again when the server refuses the
 * request.
 */
export async function createFolder(context: OperationContext, request: CreateRequest): Promise<void> {
  const { folder, name, onRefusal } = request
  // The server accepts the creation of a folder that exists. Without rows on screen, nothing else has refused the name.
  const isTaken = context.openAt(folder) === null && (await exists(context, childOf(folder, name)))
  if (isTaken) onRefusal(t('reason.name-taken'))
  else await create(context, request, { isFolder: true, type: '' })
}

/**
 * Returns true when a file or folder with this path exists. Returns false when the request fails, because the creation
 * fails as well then.
 */
async function exists(context: OperationContext, path: Path | null): Promise<boolean> {
  if (path === null) return false
  try {
    const { body } = await context.call('resources.get', { path, isFolder: true })
    await body?.cancel()
    return true
  } catch {
    return false
  }
}

/**
 * Creates an empty file and opens its editor. The server refuses the request when the file exists, so an existing file is never
 * emptied.
 */
export const createFile = (context: OperationContext, request: CreateRequest): Promise<void> =>
  create(context, request, { isFolder: false, type: 'text' })

async function create(
  context: OperationContext,
  { folder, name, onRefusal }: CreateRequest,
  { isFolder, type }: Pick<ListedEntry, 'isFolder' | 'type'>,
): Promise<void> {
  const path = childOf(folder, name)
  if (path === null) return onRefusal(t('reason.bad-name'))
  const rows = context.openAt(folder)
  const settle = beginRowOperation(context, folder)
  // An existing row with this name belongs to another entry and must stay when the server refuses the request.
  const isNewRow = rows?.has(name) === false
  if (isNewRow) rows.insert([newEntry(name, context.nowMs(), { isFolder, type })])
  try {
    await context.call('resources.create', { path, isFolder, ...(!isFolder && { body: '' }) })
    context.go(isFolder ? filesUrl(path, true) : editUrl(path))
  } catch (thrown) {
    if (isNewRow) settle(() => context.openAt(folder)?.remove([name]))
    onRefusal(reasonOf(thrown))
  }
}

/** Creates a folder without opening it. Returns the reason of a refusal, or null. */
export async function addFolder(
  context: OperationContext,
  { folder, name }: TypedName,
): Promise<string | null> {
  const path = childOf(folder, name)
  if (path === null) return t('reason.bad-name')
  try {
    await context.call('resources.create', { path, isFolder: true })
  } catch (thrown) {
    return reasonOf(thrown)
  }
  context.openAt(folder)?.insert([newEntry(name, context.nowMs(), { isFolder: true, type: '' })])
  return null
}

/** Returns the row of an entry that has just been created. */
const newEntry = (
  name: string,
  nowMs: number,
  kind: Pick<ListedEntry, 'isFolder' | 'type'>,
): ListedEntry => ({ name, ...kind, isLink: false, isBroken: false, sizeBytes: 0, modifiedMs: nowMs })
