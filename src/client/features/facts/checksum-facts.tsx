import { useQuery } from '../../api/use-query.ts'
import type { ChecksumAlgorithm } from '../../../shared/contract/resources.ts'
import type { Path } from '../../../shared/domain/path.ts'
import { callJson, isAborted } from '../../api/call.ts'
import { sentences } from '../../i18n/joined-texts.ts'
import { t } from '../../i18n/translate.ts'
import { reasonOf } from '../../operations/reason.ts'
import { notifyFailure } from '../../state/notices.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton, Fact } from './fact.tsx'
import styles from './facts.module.css'

/** The checksums that the server computes (specification 3) and their labels. */
const algorithms: readonly (readonly [ChecksumAlgorithm, string])[] = [
  ['md5', 'MD5'],
  ['sha1', 'SHA1'],
  ['sha256', 'SHA256'],
  ['sha512', 'SHA512'],
]

type ChecksumFactsProps = { readonly path: Path; readonly modifiedMs: number }

/** Renders the checksums of a file. Each is computed when the user asks for it. */
export const ChecksumFacts = ({ path, modifiedMs }: ChecksumFactsProps) =>
  algorithms.map(([algorithm, label]) => (
    <ChecksumFact key={algorithm} path={path} modifiedMs={modifiedMs} algorithm={algorithm} label={label} />
  ))

type ChecksumFactProps = ChecksumFactsProps & {
  readonly algorithm: ChecksumAlgorithm
  readonly label: string
}

function ChecksumFact({ path, modifiedMs, algorithm, label }: ChecksumFactProps) {
  const { data, isFetching, refetch } = useQuery({
    queryKey: ['checksum', path, modifiedMs, algorithm],
    queryFn: async ({ signal }) => {
      const resource = await callJson('resources.get', { path, query: { checksum: algorithm }, signal })
      return ('checksums' in resource && resource.checksums?.[algorithm]) || null
    },
    enabled: false,
    retry: false,
  })
  const show = async (): Promise<void> => {
    const { error } = await refetch()
    if (error !== null && !isAborted(error))
      notifyFailure(sentences(t('failed.checksum', { algorithm: label }), reasonOf(error)))
  }
  return (
    <Fact label={label}>
      {typeof data === 'string' ? (
        <span className={styles.copied}>
          <code className={styles.digest} tabIndex={-1} ref={focusWhenShown}>
            {data}
          </code>
          <CopyButton text={data} label={t('prompt.info.copySum', { algorithm: label })} />
        </span>
      ) : (
        <Button
          kind="quiet"
          className={styles.show}
          isBusy={isFetching}
          aria-label={t('prompt.info.showSum', { algorithm: label })}
          onClick={() => void show()}
        >
          {t('buttons.show')}
        </Button>
      )}
    </Fact>
  )
}

/**
 * Moves the focus from the pressed button to the digits that replace it, so that the focus is not lost and screen
 * readers read the digits. Digits from the cache do not take the focus, because the focus is on another element then.
 */
function focusWhenShown(element: HTMLElement | null): void {
  if (element !== null && document.activeElement === document.body) element.focus()
}
