import type { SourceTree } from '../source-tree.ts'

/** Properties and values that name a side of the screen, where the start or the end of a line is meant. */
const physicalSide =
  /(?<![\w-])(?:(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)|left|right)(?:-\w+)*\s*:|(?:text-align|float|clear)\s*:\s*(?:left|right)/g

/** Finds style sheets that name the left or the right side, which would not be mirrored in a language from right to left. */
export const physicalSides = ({ styleSheets }: SourceTree): string[] =>
  styleSheets.flatMap(({ path, text }) =>
    [...text.replaceAll(/\/\*.*?\*\//gs, '').matchAll(physicalSide)].map(([found]) => `${path} has ${found}`),
  )

/** The parts of the client that display paths as the administrator types them, or as a command line does. */
const typedPaths = ['client/features/settings/', 'client/features/shell/']

/** Code that displays a path with its slashes, or that joins its names itself. */
const pathAsText = /\bvisibleName\((?:path|folder)(?:\.slice\(1\))?\)|\.join\(' \/ '\)/

/** Finds modules that display paths in a form of their own, beside `client/paths` and `client/ui/direction`. */
export const ownFormsOfPaths = ({ files }: SourceTree): string[] =>
  files
    .filter(
      ({ path, text }) =>
        path.startsWith('client/') &&
        !['client/ui/direction/', ...typedPaths].some((folder) => path.startsWith(folder)) &&
        pathAsText.test(text),
    )
    .map(({ path }) => `${path} displays a path in a form of its own`)

/** Finds modules beside `client/ui/direction` that ask for the direction of the page. */
export const directionReaders = ({ files }: SourceTree): string[] =>
  files
    .filter(
      ({ path, text }) =>
        path.startsWith('client/') &&
        !path.startsWith('client/ui/direction/') &&
        /\bdocument\.(documentElement|body)\.dir\s*[=!]==/.test(text),
    )
    .map(({ path }) => `${path} reads the direction of the page`)
