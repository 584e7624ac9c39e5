import { nameOf, type Path } from '../../../shared/domain/path.ts'
import { conflictName, splitName } from '../../../shared/domain/names.ts'
import { t } from '../../i18n/translate.ts'
import { startCompression } from '../../operations/archiving/start-archives.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { openFolderAt } from '../../state/open-folder.ts'
import type { RefusedName } from '../../state/prompt.ts'
import { NamePrompt } from './name-prompt.tsx'

type CompressPromptProps = {
  readonly folder: Path
  readonly entries: readonly ListedEntry[]
  readonly refused?: RefusedName
}

/** The file extensions of the archive formats. */
const formatEnd = /\.(?:zip|tar(?:\.(?:gz|bz2|xz|lz4|sz|br|zst))?)$/iu

/**
 * Asks for the name of a new archive. The extension of the name determines the format. A name without a known
 * extension becomes a zip file.
 */
export function CompressPrompt({ folder, entries, refused }: CompressPromptProps) {
  const suggested = refused?.typed ?? suggestedName(folder, entries)
  return (
    <NamePrompt
      folder={folder}
      title={t('prompt.compress.title')}
      label={t('prompt.compress.label')}
      hint={t('prompt.compress.text')}
      submit={t('buttons.compress')}
      suggested={suggested}
      selected={suggested.replace(formatEnd, '').length}
      refused={refused}
      onName={(typed) =>
        void startCompression({ folder, entries }, formatEnd.test(typed) ? typed : `${typed}.zip`)
      }
    />
  )
}

/** Returns a free name after the only entry, or after the folder. */
function suggestedName(folder: Path, entries: readonly ListedEntry[]): string {
  const [entry] = entries
  const isOne = entries.length === 1 && entry !== undefined
  const own = isOne ? (entry.isFolder ? entry.name : splitName(entry.name).stem) : nameOf(folder)
  const name = `${own || t('sidebar.myFiles')}.zip`
  const rows = openFolderAt(folder)
  for (let n = 0; ; n += 1) {
    const numbered = conflictName(name, n)
    if (rows?.has(numbered) !== true) return numbered
  }
}
