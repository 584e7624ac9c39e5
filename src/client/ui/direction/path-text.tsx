import { Fragment } from 'react'
import { visibleName } from '../visible-name.ts'

/**
 * Renders the names of folders as a path, which is read from left to right in every language. Each name has its own
 * direction, so that two Arabic names keep their order.
 */
export const PathText = ({
  names,
  className,
}: {
  readonly names: readonly string[]
  readonly className?: string | undefined
}) => (
  <bdi dir="ltr" className={className}>
    {names.map((name, level) => (
      // Names can repeat in a path.
      <Fragment key={level}>
        {level > 0 && ' / '}
        <bdi>{visibleName(name)}</bdi>
      </Fragment>
    ))}
  </bdi>
)
