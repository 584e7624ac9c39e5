import type { ChosenEncoding } from '../../../shared/domain/name-encodings.ts'
import type { Path } from '../../../shared/domain/path.ts'
import { location } from '../../router/router.ts'
import type { EntriesOfFolder } from '../../state/listed-entry.ts'
import { prompt } from '../../state/prompt.ts'
import { notifyProgress } from '../../state/screens/work-notices.ts'
import { type ArchiveContext, compressEntries, extractArchive } from './archives.ts'
import { createOperationContext } from '../operation-context.ts'

const createContext = (): ArchiveContext => ({ ...createOperationContext(), notifyProgress })

/** Extracts an archive for the signed-in user, with the notices of this page. */
export async function startExtraction(
  { folder, entries: [entry] }: EntriesOfFolder,
  { to, encoding }: { readonly to: Path; readonly encoding: ChosenEncoding },
): Promise<void> {
  if (entry === undefined) return
  await extractArchive(createContext(), { folder, name: entry.name, destination: to, encoding })
}

/** Packs entries into a new archive. When the server refuses its name, the dialog opens again with the reason. */
export async function startCompression({ folder, entries }: EntriesOfFolder, archive: string): Promise<void> {
  const context = createContext()
  const address = location.get()
  await compressEntries(context, {
    folder,
    names: entries.map(({ name }) => name),
    archive,
    onRefusal: (reason) => {
      const refused = { typed: archive, reason }
      if (location.get() === address && prompt.get().kind === 'none')
        prompt.set({ kind: 'compress', folder, entries, refused })
      else context.notifyFailure(reason)
    },
  })
}
