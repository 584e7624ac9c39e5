import type { EditorState } from '@codemirror/state'
import { useState } from 'react'
import type { Path } from '../../../shared/domain/path.ts'
import { createDeviceStore } from '../../state/device/device-store.ts'
import { createStore, type Store, useStore } from '../../state/store.ts'
import type { TextRendering } from '../viewers/text-renderings.ts'
import { PartBoundary } from './part-boundary.tsx'
import styles from './editor.module.css'

/** The choice of this device to show or hide the rendering of a text, such as a Markdown document, beside its source. */
export const renderingVisibility = createDeviceStore<'shown' | 'hidden'>('stowage.editor.form', 'hidden', [
  'shown',
  'hidden',
])

/** The delay between the last change and the update of the rendering, in milliseconds. */
const followMs = 250
/**
 * The same delay for a text of more than `longLength` characters, because copying it out of the editor takes up to 100
 * ms.
 */
const followLongMs = 1500
const longLength = 2_000_000

/** A text that is copied out of the editor only when it is shown. */
type ReadableText = { readonly read: () => string }

export type LiveText = {
  readonly text: Store<ReadableText>
  /** Call it after each change of the text. */
  readonly follow: (state: EditorState) => void
}

/** Holds the text of an editor for its rendering, which is updated with a delay while the user types. */
export function useLiveText(initial: string): LiveText {
  const [live] = useState(() => createLiveText(initial))
  return live
}

function createLiveText(initial: string): LiveText {
  const text = createStore<ReadableText>({ read: () => initial })
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    text,
    follow: ({ doc }) => {
      clearTimeout(timer)
      timer = setTimeout(
        () => text.set({ read: () => doc.toString() }),
        doc.length > longLength ? followLongMs : followMs,
      )
    },
  }
}

type RenderingPaneProps = {
  readonly rendering: TextRendering
  readonly name: string
  readonly path: Path
  readonly live: LiveText
}

/** Shows the rendering of the text of an editor: beside the source, or instead of the source on narrow screens. */
export function RenderingPane({ rendering, name, path, live }: RenderingPaneProps) {
  const text = useStore(live.text).read()
  return (
    <div className={styles.rendering} data-part="text-rendering">
      <PartBoundary>
        <rendering.Component name={name} text={text} path={path} />
      </PartBoundary>
    </div>
  )
}
