import { useQuery } from '../../../api/use-query.ts'
import type { FileResource } from '../../../../shared/contract/resources.ts'
import {
  headBytes,
  isTextFile,
  maxTextBytes,
  typeOfFile,
  typeOfName,
} from '../../../../shared/domain/file-kind.ts'
import type { Path } from '../../../../shared/domain/path.ts'
import { call } from '../../../api/call.ts'

/** The largest text that the editor opens, in bytes (ux 2.14). */
const maxEditedBytes = 50 * 1024 * 1024

/**
 * Returns true when the editor opens a file. The server gives texts above 10 MiB the type `blob` (contract 3.4). Where the
 * name does not tell whether such a file is a text, its first bytes are requested, and the result is null until then.
 */
export function useIsEditable(
  path: Path,
  { name, type, size }: Pick<FileResource, 'name' | 'type' | 'size'>,
  { mayRead }: { readonly mayRead: boolean },
): boolean | null {
  const isInLimit = size <= maxEditedBytes
  const isUnknown = type === 'blob' && size > maxTextBytes && typeOfName(name) === null
  const { data, isError } = useQuery({
    queryKey: ['is-text', path],
    queryFn: async ({ signal }) => {
      const headers = { Range: `bytes=0-${headBytes - 1}` }
      const response = await call('raw.get', { path, query: { inline: true }, headers, signal })
      return typeOfFile(name, 0, new Uint8Array(await response.arrayBuffer())) === 'text'
    },
    enabled: mayRead && isInLimit && isUnknown,
    gcTime: 0,
    retry: false,
  })
  if (!isInLimit) return false
  if (!isUnknown || !mayRead) return isTextFile(name, type, size)
  return isError ? false : (data ?? null)
}
