import { useKeyScope } from '../../../ui/keyboard/use-key-scope.ts'
import { combinationOf } from '../../../ui/keyboard/keys.ts'
import type { SimpleTool, ToolButton, ToolDrawer } from './tool.ts'

/** The functions of keys that no tool has, by the key in the form that actions use. A function that returns false leaves its key to the rest of the page. */
export type ViewerKeys = Readonly<Record<string, () => unknown>>

/** The simple tools of a viewer, and the keys that no tool has. */
type KeyedViewer = { readonly tools: readonly (SimpleTool | false)[]; readonly keys: ViewerKeys }

/** Runs the tools and functions of a viewer at their keys. Null leaves all keys to the rest of the page. */
export function useViewerKeys(viewer: KeyedViewer | null): void {
  useKeyScope(
    'viewer',
    (event) => {
      if (viewer === null) return false
      const key = combinationOf(event)
      const tool = viewer.tools.filter(isKeyed).find(({ keys }) => keys?.includes(key))
      // A key whose tool is blocked does nothing, rather than something else.
      const isBlocked = tool !== undefined && 'blockedBy' in tool && tool.blockedBy !== undefined
      const run: (() => unknown) | undefined = tool === undefined ? viewer.keys[key] : tool.run
      if (run === undefined || (event.key === ' ' && isPressable(event.target))) return false
      return isBlocked || run() !== false
    },
    'with-field-keys',
  )
}

const isKeyed = (tool: SimpleTool | false): tool is ToolButton | ToolDrawer => tool !== false && 'run' in tool

/** Returns true for an element that uses Space itself. */
const isPressable = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('button, a') !== null
