import { useId } from 'react'
import { CallError } from '../../../api/call.ts'
import { useOpened, whenAborted } from '../frame/use-opened.ts'
import type { ViewedFile } from '../viewer.ts'
import { charactersOf } from './font-characters.ts'

/** The largest font that is loaded, in bytes. The largest fonts for Chinese, Japanese and Korean have about 25 MB. */
const maxFontBytes = 30 * 1024 * 1024

/** A font that the page can use. */
export type LoadedFont = {
  /** The name of the font in style sheets. It is generated, so that it cannot collide with a font of the page. */
  readonly family: string
  /** Characters that the font has, or null for a format whose table of characters cannot be read here. */
  readonly characters: readonly string[] | null
}

/** Loads a font for as long as the component is on screen. Returns null while it is loaded. */
export function useFont(
  { address, sizeBytes }: Pick<ViewedFile, 'address' | 'sizeBytes'>,
  onBroken: () => void,
): LoadedFont | null {
  const family = `viewed-font-${useId().replaceAll(/\W/g, '')}`
  return useOpened({
    key: `${address} ${sizeBytes}`,
    open: async (signal) => {
      if (sizeBytes > maxFontBytes) throw new RangeError('The font is too large.')
      const bytes = await loadBytes(address, signal)
      const face = await new FontFace(family, bytes).load()
      const characters = await charactersOf(bytes)
      signal.throwIfAborted()
      document.fonts.add(face)
      whenAborted(signal, () => document.fonts.delete(face))
      return { family, characters }
    },
    onFailed: () => onBroken(),
  })
}

async function loadBytes(address: string, signal: AbortSignal): Promise<ArrayBuffer> {
  // The file may have grown since its size was read, so the request contains the limit as well.
  const response = await fetch(address, { headers: { Range: `bytes=0-${maxFontBytes - 1}` }, signal })
  if (!response.ok) throw new CallError(response.status)
  return response.arrayBuffer()
}
