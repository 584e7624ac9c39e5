import type { FileResource } from '../../../../shared/contract/resources.ts'
import type { Path } from '../../../../shared/domain/path.ts'
import { href } from '../../../api/href.ts'
import { useQuery } from '../../../api/use-query.ts'
import { useMay } from '../../../state/session.ts'
import { fileFactsOf } from '../../viewers/viewed-file.ts'
import { isDrawing } from '../../viewers/image-names.ts'

/**
 * Returns the time at which a photo was taken, in milliseconds since 1970 as if the camera had the time zone of the browser, or null
 * until it has been read, and for all other files. The code that reads it is loaded with the first photo.
 */
export function useTakenTime(path: Path, file: FileResource): number | null {
  const mayRead = useMay()('download')
  const { type, name, sizeBytes, modifiedMs } = fileFactsOf(file)
  const { data } = useQuery({
    // The information of the file has the same key, so a photo is read once.
    queryKey: ['photo', path, sizeBytes, modifiedMs],
    queryFn: async ({ signal }) => {
      const { loadPhotoFacts } = await import('../../../photos/load-photo-facts.ts')
      return loadPhotoFacts({
        address: href('raw.get', { path, query: { inline: true } }),
        sizeBytes,
        signal,
      })
    },
    enabled: mayRead && type === 'image' && !isDrawing(name),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const takenAt = data?.takenAt ?? null
  return takenAt === null ? null : new Date(takenAt).getTime()
}
