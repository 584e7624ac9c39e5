import { itemOf } from './pick-files.ts'
import type { UploadItem } from './upload-plan.ts'

/**
 * Reads the dropped or pasted files, including whole folders. An empty folder becomes an item too. The entries are read
 * from the transfer synchronously, because the browser empties the transfer after the event. In browsers without the
 * entries API only files are read.
 */
export function readDrop(transfer: DataTransfer): AsyncIterable<UploadItem> | Iterable<UploadItem> {
  const entries = Array.from(transfer.items)
    .filter(({ kind }) => kind === 'file')
    .map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }))
  if (entries.length === 0) return Array.from(transfer.files, itemOf)
  return walkAll(entries)
}

async function* walkAll(
  roots: readonly { readonly entry: FileSystemEntry | null; readonly file: File | null }[],
): AsyncGenerator<UploadItem> {
  for (const { entry, file } of roots) {
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
  // Browsers return up to 100 entries for each call, and an empty list at the end.
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
