import type { PageRule } from '../extract/page-rule.ts'
import type { StageRules } from '../stage/stage.ts'

/** A page rule whose pages a user's module reads. */
export type ModuleRule = PageRule & { readonly module: string }

const hasModule = (rule: PageRule): rule is ModuleRule => rule.module !== undefined

/** In the order in which their modules are loaded. */
export const moduleRulesOf = ({ pages }: StageRules): readonly ModuleRule[] => pages.filter(hasModule)

/** What messages call the module of a rule. @param job what they call the job of that rule */
export const modulePlace = (path: string, page: string, job?: string): string =>
  `${job === undefined ? '' : `${job}: `}module of page rule ${page}: ${path}`

/** The module itself is why. */
export const unloadable = (place: string, why: string): string => `${place}: it cannot be loaded: ${why}`
