import type { EditorState } from '@codemirror/state'
import { Suspense, useState } from 'react'
import type { Path } from '../../../shared/domain/path.ts'
import { createDeviceStore } from '../../state/device/device-store.ts'
import { createStore, type Store, useStore } from '../../state/store.ts'
import type { TextForm } from '../viewers/text-forms.ts'
import styles from './editor.module.css'

/** Whether texts are shown in their other form beside the source, when they have one. */
export const formVisibility = createDeviceStore<'shown' | 'hidden'>('stowage.editor.form', 'hidden', [
  'shown',
  'hidden',
])

/** The time after the last change until the other form follows, in milliseconds. */
const followMs = 250
/** The same time for a text of more characters than `longLength`, because reading it out takes up to 100 ms. */
const followLongMs = 1500
const longLength = 2_000_000

/** A text that is read out only where it is shown. */
type ReadableText = { readonly read: () => string }

export type LiveText = {
  readonly text: Store<ReadableText>
  /** Call it after each change of the text. */
  readonly follow: (state: EditorState) => void
}

/** Holds the text of an editor for its other form, which follows the typing with a delay. */
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

type FormPaneProps = {
  readonly form: TextForm
  readonly name: string
  readonly path: Path
  readonly live: LiveText
}

/** Shows the other form of the text of an editor: beside the source, and on narrow screens in its place. */
export function FormPane({ form, name, path, live }: FormPaneProps) {
  const text = useStore(live.text).read()
  return (
    <div className={styles.form} data-part="text-form">
      <Suspense>
        <form.Component name={name} text={text} path={path} />
      </Suspense>
    </div>
  )
}
