import { useState } from 'react'
import { CircleAlert, Copy, Info, Route } from 'lucide'
import { t } from '../../../i18n/translate.ts'
import { Banner } from '../../../ui/banner.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import { ViewerFrame } from '../frame/viewer-frame.tsx'
import { ViewerLoading } from '../frame/viewer-loading.tsx'
import type { TextViewProps } from '../rows/text-source.ts'
import { JsonRows } from './json-rows.tsx'
import type { JsonProblem } from './read-json.ts'
import { useJson } from './use-json.ts'

/**
 * Shows JSON as a tree. For an invalid text, it shows the values before the problem and the position of the problem.
 */
export function JsonView({ name, source, onBroken }: TextViewProps) {
  const { content, send } = useJson({ name, source, onBroken })
  const [resets, setResets] = useState(0)
  // The rows are different after this, so the tree scrolls back to its top.
  const openOrCloseAll = (kind: 'open-all' | 'close-all'): void => {
    send({ kind })
    setResets(resets + 1)
  }
  if (content === null) return <ViewerLoading />
  const { problem, isCut, values } = content
  return (
    <ViewerFrame
      part="tree"
      look="document"
      toolbar={{
        label: t('viewer.treeTools'),
        tools: [
          { label: t('viewer.expandAll'), run: () => openOrCloseAll('open-all') },
          { label: t('viewer.collapseAll'), run: () => openOrCloseAll('close-all') },
          { icon: Copy, label: t('viewer.copyValue'), run: () => send({ kind: 'copy', part: 'value' }) },
          { icon: Route, label: t('viewer.copyPath'), run: () => send({ kind: 'copy', part: 'path' }) },
        ],
      }}
      banners={
        <>
          {problem !== null && (
            <Banner kind="danger" icon={CircleAlert}>
              <output>{problemText(problem)}</output>
            </Banner>
          )}
          {isCut && <Banner icon={Info}>{t('viewer.valueLimit', { count: values })}</Banner>}
        </>
      }
      footer={<output data-part="value-count">{t('viewer.values', { count: values })}</output>}
    >
      <JsonRows key={resets} label={visibleName(name)} content={content} send={send} />
    </ViewerFrame>
  )
}

function problemText({ line, column, found }: JsonProblem): string {
  if (found === '') return t('viewer.jsonEnds', { line, column })
  const isVisible = /[^\s\p{C}]/u.test(found)
  return isVisible
    ? t('viewer.jsonProblem', { line, column, found })
    : t('viewer.jsonPlace', { line, column })
}
