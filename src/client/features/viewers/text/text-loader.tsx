import { type ReactNode, useEffect } from 'react'
import { Info } from 'lucide'
import { useQuery } from '../../../api/use-query.ts'
import { formatSize } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { Banner } from '../../../ui/banner.tsx'
import { ViewerFrame } from '../frame/viewer-frame.tsx'
import { ViewerLoading } from '../frame/viewer-loading.tsx'
import type { ViewedFile } from '../viewer.ts'
import { loadTextBeginning } from './load-text.ts'

type TextLoaderProps = {
  readonly file: ViewedFile
  /** The number of bytes to read at most. */
  readonly maxBytes: number
  /** Loads what shows the text, while the text is on its way. Never rejects. */
  readonly prepare?: (() => Promise<void>) | undefined
  readonly onBroken: () => void
  readonly children: (text: string) => ReactNode
}

/** Reads the beginning of a text and renders it. A banner is shown when the file is longer. */
export function TextLoader({ file, maxBytes, prepare, onBroken, children }: TextLoaderProps) {
  const { data, error } = useQuery({
    queryKey: ['beginning', file.address, file.versionKey, maxBytes],
    queryFn: async ({ signal }) => {
      const [beginning] = await Promise.all([loadTextBeginning(file, { maxBytes, signal }), prepare?.()])
      return beginning
    },
    gcTime: 0,
    retry: false,
  })
  useEffect(() => {
    if (error !== null) onBroken()
  }, [error, onBroken])
  if (data === undefined) return <ViewerLoading />
  return (
    <ViewerFrame
      look="document"
      banners={data.isCut && <Banner icon={Info}>{t('viewer.cut', { size: formatSize(maxBytes) })}</Banner>}
    >
      {children(data.text)}
    </ViewerFrame>
  )
}
