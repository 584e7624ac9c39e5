import { useQuery } from '../../api/use-query.ts'
import type { Path } from '../../../shared/domain/path.ts'
import { config } from '../../api/config.ts'
import { href } from '../../api/href.ts'
import { formatDate } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { loadPhotoFacts } from '../../photos/load-photo-facts.ts'
import type { PhotoFacts, PhotoPlace } from '../../../shared/photos/photo-facts.ts'
import { CopyButton, Fact } from './fact.tsx'
import { exposureText, placeText } from './photo-texts.ts'
import styles from './facts.module.css'

type CameraFactsProps = {
  readonly path: Path
  readonly sizeBytes: number
  readonly modifiedMs: number
}

/**
 * Renders what a camera has written into a photo, as soon as it has been read from the file. Renders nothing for other
 * images, and when the file cannot be read.
 */
export function CameraFacts({ path, sizeBytes, modifiedMs }: CameraFactsProps) {
  const { data } = useQuery({
    queryKey: ['photo', path, sizeBytes, modifiedMs],
    queryFn: ({ signal }) =>
      loadPhotoFacts({ address: href('raw.get', { path, query: { inline: true } }), sizeBytes, signal }),
    staleTime: Infinity,
    retry: false,
  })
  return data ? <FactsOfPhoto facts={data} /> : null
}

function FactsOfPhoto({ facts }: { readonly facts: PhotoFacts }) {
  const { camera, lens, takenAt, place } = facts
  const exposure = exposureText(facts)
  return (
    <>
      {takenAt !== null && (
        <Fact label={t('prompt.info.taken')}>
          <time dateTime={takenAt}>{formatDate(new Date(takenAt).getTime())}</time>
        </Fact>
      )}
      {camera !== null && (
        <Fact label={t('prompt.info.camera')}>
          <bdi>{camera}</bdi>
        </Fact>
      )}
      {lens !== null && (
        <Fact label={t('prompt.info.lens')}>
          <bdi>{lens}</bdi>
        </Fact>
      )}
      {exposure !== '' && <Fact label={t('prompt.info.exposure')}>{exposure}</Fact>}
      {place !== null && <PlaceFact place={place} />}
    </>
  )
}

/** Renders where a photo was taken, and a link to a map unless the administrator has disabled external links. */
function PlaceFact({ place }: { readonly place: PhotoPlace }) {
  const text = placeText(place)
  const [latitude, longitude] = text.split(', ')
  return (
    <Fact label={t('prompt.info.place')}>
      <span className={styles.copied}>
        <bdi dir="ltr">{text}</bdi>
        <CopyButton text={text} label={t('prompt.info.copyPlace')} />
      </span>
      {!config().DisableExternal && (
        <a
          href={`https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=15/${latitude}/${longitude}`}
          target="_blank"
          rel="noopener noreferrer"
        >
          {t('prompt.info.map')}
        </a>
      )}
    </Fact>
  )
}
