import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * An object that describes a tree of files. Strings and bytes are files, objects are folders, and `{ link }` is a
 * symbolic link.
 */
export type FileTree = { readonly [name: string]: string | Uint8Array | SymbolicLinkEntry | FileTree }
export type SymbolicLinkEntry = { readonly link: string }

const isLink = (content: unknown): content is SymbolicLinkEntry =>
  typeof content === 'object' && content !== null && typeof (content as SymbolicLinkEntry).link === 'string'

/**
 * Creates the tree in an existing folder. The calls are synchronous, because an asynchronous one takes several times as much
 * of the processor, and some trees have ten thousand files.
 */
export async function makeTree(folder: string, tree: FileTree): Promise<void> {
  makeEntries(folder, tree)
}

function makeEntries(folder: string, tree: FileTree): void {
  for (const [name, content] of Object.entries(tree)) {
    const target = path.join(folder, name)
    if (typeof content === 'string' || content instanceof Uint8Array) writeFileSync(target, content)
    else if (isLink(content)) symlinkSync(content.link, target)
    else {
      mkdirSync(target)
      makeEntries(target, content)
    }
  }
}

/** Returns the content of a folder in the format of `makeTree`, with the contents of files as strings. */
export async function treeOf(folder: string): Promise<FileTree> {
  return entriesOf(folder)
}

function entriesOf(folder: string): FileTree {
  const tree: Record<string, string | SymbolicLinkEntry | FileTree> = {}
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const target = path.join(folder, entry.name)
    if (entry.isDirectory()) tree[entry.name] = entriesOf(target)
    else if (entry.isFile()) tree[entry.name] = readFileSync(target, 'utf8')
    else if (entry.isSymbolicLink()) tree[entry.name] = { link: '' }
  }
  return tree
}
