import { useQuery } from '../../../../api/use-query.ts'
import type { MediaFacts } from '../../../../../shared/contract/file-response.ts'
import { t } from '../../../../i18n/translate.ts'
import type { ViewedFile } from '../../viewer.ts'
import { unknownCodec } from './codecs.ts'

/** The time in milliseconds after which a message is shown without the name of the codec: the limit of the server. */
const maxWaitMs = 10_000

/** The usual names of the codecs of a file that the browser does not play. Null for what is missing or can be played. */
export type UnknownCodecs = { readonly video: string | null; readonly audio: string | null }

const nothingUnknown: UnknownCodecs = { video: null, audio: null }

/** Asks the server for the codecs of a file. Without an answer, none is unknown. */
export async function findUnknownCodecs(
  remuxAddress: ViewedFile['remuxAddress'],
  signal: AbortSignal,
): Promise<UnknownCodecs> {
  if (remuxAddress === null) return nothingUnknown
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(maxWaitMs)])
    const response = await fetch(`${remuxAddress}codecs`, { signal: limited })
    if (!response.ok) return nothingUnknown
    const { video, audio } = (await response.json()) as MediaFacts
    return { video: unknownCodec(video, canPlay), audio: unknownCodec(audio, canPlay) }
  } catch {
    return nothingUnknown
  }
}

const canPlay = (type: string): boolean => document.createElement('video').canPlayType(type) !== ''

/** Returns why a file cannot be played, or undefined when the reason is not known. */
export function unplayableReason({ video, audio }: UnknownCodecs): string | undefined {
  if (video !== null) return t('viewer.unknownVideo', { codec: video })
  return audio === null ? undefined : t('viewer.unknownSound', { codec: audio })
}

/**
 * Returns the name of the video codec when the browser cannot decode it. Returns null when the server does not name
 * the codec.
 */
export function useUnknownVideo({ remuxAddress }: ViewedFile, isWanted: boolean): string | null {
  const { data } = useQuery({
    queryKey: ['codecs', remuxAddress],
    queryFn: ({ signal }) => findUnknownCodecs(remuxAddress, signal),
    enabled: isWanted && remuxAddress !== null,
    gcTime: 0,
  })
  return data?.video ?? null
}
