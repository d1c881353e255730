import type { AnyNode } from 'domhandler'
import { firstChild, isElement, nextNode, nextOutside } from './walk.ts'

/** All text below a node in document order, as the DOM's `textContent`: comments are left out, scripts are not. */
export function textOf(top: AnyNode): string {
  const only = firstChild(top)
  if (only === null) return top.type === 'text' ? top.data : ''
  if (only.next === null && only.type === 'text') return only.data
  let text = ''
  for (let node: AnyNode | null = only; node !== null; node = nextNode(node, top))
    if (node.type === 'text') text += node.data
  return text
}

/** The same without what is inside `<script>`, `<style>` and `<template>`. */
export function innerTextOf(top: AnyNode): string {
  if (isElement(top) && top.type !== 'tag') return ''
  let text = ''
  let node = firstChild(top)
  while (node !== null) {
    if (node.type === 'text') text += node.data
    const isHidden = node.type === 'script' || node.type === 'style' || node.type === 'root'
    node = isHidden ? nextOutside(node, top) : nextNode(node, top)
  }
  return text
}
