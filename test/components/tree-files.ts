import type { FileTree } from '../kit/tree.ts'

const place = `{
  "name": "Z\\u00fcrich <img src=x onerror='top.hacked = 1'>",
  "id": 12345678901234567890,
  "parts": [{"kind": "a"}, {"kind": "b"}],
  "closed": false
}`

/** Texts that are shown as trees, one of them with more than a million values. */
export const treeFiles = async (): Promise<FileTree> => ({
  'broken.json': '{\n  "a": [1, 2],\n  "b": oops\n}',
  'events.jsonl': '{"at":1}\n{"at":2}\n',
  'many.json': JSON.stringify(Array.from({ length: 250_000 }, (_, id) => ({ id, tags: ['x', 'y'] }))),
  'place.json': place,
})
