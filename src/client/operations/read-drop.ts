import { itemOf } from './pick-files.ts'
import type { UploadItem } from './upload-plan.ts'

/**
 * What was dropped or pasted, trees included; folders with nothing in them are items of their own. The entries are taken at
 * once: after the event the browser shows none. Where it has no entries, the files alone.
 */
export function readDrop(transfer: DataTransfer): AsyncIterable<UploadItem> | Iterable<UploadItem> {
  const entries = Array.from(transfer.items)
    .filter(({ kind }) => kind === 'file')
    .map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }))
  if (entries.length === 0) return Array.from(transfer.files, itemOf)
  return walkAll(entries)
}

async function* walkAll(
  found: readonly { readonly entry: FileSystemEntry | null; readonly file: File | null }[],
): AsyncGenerator<UploadItem> {
  for (const { entry, file } of found) {
    if (entry) yield* walk(entry, [])
    else if (file) yield itemOf(file)
  }
}

async function* walk(entry: FileSystemEntry, above: readonly string[]): AsyncGenerator<UploadItem> {
  const names = [...above, entry.name]
  if (!entry.isDirectory) {
    yield { names, file: await fileOf(entry as FileSystemFileEntry) }
    return
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  let isEmpty = true
  // Browsers give a hundred entries at a time, and none when there are no more.
  for (let batch = await readBatch(reader); batch.length > 0; batch = await readBatch(reader)) {
    isEmpty = false
    const files = await Promise.all(
      batch.map((inside) =>
        inside.isDirectory ? Promise.resolve(null) : fileOf(inside as FileSystemFileEntry),
      ),
    )
    for (const [at, inside] of batch.entries()) {
      const file = files[at]
      if (file) yield { names: [...names, inside.name], file }
      else yield* walk(inside, names)
    }
  }
  if (isEmpty) yield { names, file: null }
}

const readBatch = (reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> =>
  new Promise((resolve, reject) => {
    reader.readEntries(resolve, reject)
  })

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => {
    entry.file(resolve, reject)
  })
