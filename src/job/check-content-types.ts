import { defaultContentTypes } from './defaults.ts'
import type { ContentTypes } from './job.ts'
import type { JobShape } from './job-shape.ts'
import type { Problems } from './problems.ts'

const typeText = 'a media type such as `text/html`, or a kind such as `image/*`'

const isType = (text: string): boolean => /^(?:\*\/\*|[a-z]+\/(?:\*|[a-z\d][a-z\d.+-]*))$/.test(text)

export function checkContentTypes(written: JobShape['contentTypes'], problems: Problems): ContentTypes {
  const listOf = (key: 'accept' | 'refuse'): readonly string[] =>
    (written?.[key] ?? defaultContentTypes[key]).map((text, index) => {
      const type = text.trim().toLowerCase()
      if (!isType(type)) problems.refuse(['contentTypes', key, index], text, typeText)
      return type
    })
  return { accept: listOf('accept'), refuse: listOf('refuse') }
}
