import { decodeText, decodeTitle } from '../stream/references.ts'
import { coding } from '../stream/text-log.ts'
import { isElement, type TreeLeaf, type TreeNode } from './node.ts'
import { nextNode, nextOutside } from './walk.ts'

/** What a text, a comment or a declaration says, its references decoded. */
export function dataOf(leaf: TreeLeaf): string {
  if (leaf.coding !== coding.none) {
    leaf.data = leaf.coding === coding.text ? decodeText(leaf.data) : decodeTitle(leaf.data)
    leaf.coding = coding.none
  }
  return leaf.data
}

/** All text below a node in document order, as the DOM's `textContent`: comments are left out, scripts are not. */
export function textOf(top: TreeNode): string {
  const only = top.first
  if (only === null) return top.type === 'text' ? dataOf(top) : ''
  if (only.next === null && only.type === 'text') return dataOf(only)
  let text = ''
  for (let node: TreeNode | null = only; node !== null; node = nextNode(node, top))
    if (node.type === 'text') text += dataOf(node)
  return text
}

/** The same without what is inside `<script>`, `<style>` and `<template>`. */
export function innerTextOf(top: TreeNode): string {
  if (isElement(top) && top.type !== 'tag') return ''
  let text = ''
  let node = top.first
  while (node !== null) {
    if (node.type === 'text') text += dataOf(node)
    const isHidden = node.type === 'script' || node.type === 'style' || node.type === 'root'
    node = isHidden ? nextOutside(node, top) : nextNode(node, top)
  }
  return text
}
