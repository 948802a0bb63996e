import type { ManifestRule } from '../rule-support/rule-context.js';
import { ambiguousChoice } from './ambiguous-choice.js';
import { duplicateCategory } from './duplicate-category.js';
import { duplicateId } from './duplicate-id.js';
import { duplicateScope } from './duplicate-scope.js';
import { emptyEnum } from './empty-enum.js';
import { emptyText } from './empty-text.js';
import { endpointPath } from './endpoint-path.js';
import { enumWithCompletion } from './enum-with-completion.js';
import { extensionField } from './extension-field.js';
import { fileNotFound } from './file-not-found.js';
import { iconNotSquare } from './icon-not-square.js';
import { imageEnding } from './image-ending.js';
import { internalScope } from './internal-scope.js';
import { invalidDefault } from './invalid-default.js';
import { invalidId } from './invalid-id.js';
import { invalidOutbound } from './invalid-outbound.js';
import { invalidLimit } from './invalid-limit.js';
import { invalidName } from './invalid-name.js';
import { invalidPort } from './invalid-port.js';
import { invalidRuntime } from './invalid-runtime.js';
import { invalidUrl } from './invalid-url.js';
import { invalidValue } from './invalid-value.js';
import { keyOfOtherType } from './key-of-other-type.js';
import { literalSecret } from './literal-secret.js';
import { missingKey } from './missing-key.js';
import { pathOutside } from './path-outside.js';
import { placeholderText } from './placeholder-text.js';
import { previewSize } from './preview-size.js';
import { secretExpression } from './secret-expression.js';
import { summaryLength } from './summary-length.js';
import { undescribedBlock } from './undescribed-block.js';
import { unknownCategory } from './unknown-category.js';
import { unknownKey } from './unknown-key.js';
import { unknownPropertyType } from './unknown-property-type.js';
import { unknownRequired } from './unknown-required.js';
import { unknownScope } from './unknown-scope.js';
import { unknownSpace } from './unknown-space.js';
import { unknownTarget } from './unknown-target.js';
import { unknownVisibility } from './unknown-visibility.js';
import { unreadableImage } from './unreadable-image.js';
import { unsetSecret } from './unset-secret.js';
import { wrongType } from './wrong-type.js';

export const manifestRules: readonly ManifestRule[] = [
  missingKey,
  unknownKey,
  wrongType,
  invalidValue,
  emptyText,
  invalidName,
  summaryLength,
  unknownVisibility,
  unknownScope,
  internalScope,
  duplicateScope,
  unknownCategory,
  duplicateCategory,
  duplicateId,
  undescribedBlock,
  placeholderText,
  fileNotFound,
  pathOutside,
  unreadableImage,
  imageEnding,
  iconNotSquare,
  previewSize,
  invalidUrl,
  unknownPropertyType,
  keyOfOtherType,
  invalidDefault,
  emptyEnum,
  ambiguousChoice,
  enumWithCompletion,
  endpointPath,
  unknownRequired,
  literalSecret,
  secretExpression,
  unsetSecret,
  unknownTarget,
  extensionField,
];

export const devSettingsRules: readonly ManifestRule[] = [
  missingKey,
  unknownKey,
  wrongType,
  invalidValue,
  emptyText,
  invalidPort,
  invalidRuntime,
  invalidLimit,
  invalidOutbound,
  invalidId,
  duplicateId,
  unknownVisibility,
  unknownSpace,
];
