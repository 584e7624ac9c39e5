import { createPersonalStore, registerPersonal } from '../../../state/personal.ts'
import type { Neighbour } from '../viewer.ts'
import { play } from './player.ts'

/**
 * The element that plays all audio files one after the other. Browsers of phones let only an element that the user has
 * started begin the next file by itself.
 */
let element: HTMLAudioElement | null = null

/** The name of the file that the playlist opens, and that plays as soon as it is open. */
const nextToPlay = createPersonalStore<string | null>(null)

registerPersonal({
  drop: () => {
    element?.pause()
    element?.removeAttribute('src')
    element = null
  },
})

/**
 * Connects the shared element with the player of a file, and plays the file when the playlist has opened it. `connect`
 * loads the file, and returns the function that ends the connection.
 */
export function openAudio(
  host: HTMLElement,
  name: string,
  connect: (audio: HTMLAudioElement) => () => void,
): () => void {
  element ??= new Audio()
  const audio = element
  audio.preload = 'metadata'
  host.append(audio)
  const disconnect = connect(audio)
  if (nextToPlay.get() === name) play(audio)
  nextToPlay.set(null)
  return () => {
    disconnect()
    audio.remove()
  }
}

/** Plays the open file from its start. */
export function repeatOpen(): void {
  if (element === null) return
  element.currentTime = 0
  play(element)
}

/** Opens another file of the playlist, which plays as soon as it is open. The open file is played from its start. */
export function playNeighbour({ name, isOpen, open }: Neighbour): void {
  if (isOpen) return repeatOpen()
  nextToPlay.set(name)
  open()
}
