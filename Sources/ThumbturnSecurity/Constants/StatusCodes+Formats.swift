// swift-format-ignore-file: AlwaysUseLowerCamelCase
// Apple's names and numbers (SecBase.h).
// No call of this version returns these; they are here so that a program's table of statuses compiles.

/// Invalid output vector (-67745).
public let errSecInvalidOutputVector: OSStatus = -67745

/// Invalid context (-67746).
public let errSecInvalidContext: OSStatus = -67746

/// Invalid algorithm (-67747).
public let errSecInvalidAlgorithm: OSStatus = -67747

/// Invalid attribute key (-67748).
public let errSecInvalidAttributeKey: OSStatus = -67748

/// Missing attribute key (-67749).
public let errSecMissingAttributeKey: OSStatus = -67749

/// Invalid attribute init vector (-67750).
public let errSecInvalidAttributeInitVector: OSStatus = -67750

/// Missing attribute init vector (-67751).
public let errSecMissingAttributeInitVector: OSStatus = -67751

/// Invalid attribute salt (-67752).
public let errSecInvalidAttributeSalt: OSStatus = -67752

/// Missing attribute salt (-67753).
public let errSecMissingAttributeSalt: OSStatus = -67753

/// Invalid attribute padding (-67754).
public let errSecInvalidAttributePadding: OSStatus = -67754

/// Missing attribute padding (-67755).
public let errSecMissingAttributePadding: OSStatus = -67755

/// Invalid attribute random (-67756).
public let errSecInvalidAttributeRandom: OSStatus = -67756

/// Missing attribute random (-67757).
public let errSecMissingAttributeRandom: OSStatus = -67757

/// Invalid attribute seed (-67758).
public let errSecInvalidAttributeSeed: OSStatus = -67758

/// Missing attribute seed (-67759).
public let errSecMissingAttributeSeed: OSStatus = -67759

/// Invalid attribute passphrase (-67760).
public let errSecInvalidAttributePassphrase: OSStatus = -67760

/// Missing attribute passphrase (-67761).
public let errSecMissingAttributePassphrase: OSStatus = -67761

/// Invalid attribute key length (-67762).
public let errSecInvalidAttributeKeyLength: OSStatus = -67762

/// Missing attribute key length (-67763).
public let errSecMissingAttributeKeyLength: OSStatus = -67763

/// Invalid attribute block size (-67764).
public let errSecInvalidAttributeBlockSize: OSStatus = -67764

/// Missing attribute block size (-67765).
public let errSecMissingAttributeBlockSize: OSStatus = -67765

/// Invalid attribute output size (-67766).
public let errSecInvalidAttributeOutputSize: OSStatus = -67766

/// Missing attribute output size (-67767).
public let errSecMissingAttributeOutputSize: OSStatus = -67767

/// Invalid attribute rounds (-67768).
public let errSecInvalidAttributeRounds: OSStatus = -67768

/// Missing attribute rounds (-67769).
public let errSecMissingAttributeRounds: OSStatus = -67769

/// Invalid algorithm parms (-67770).
public let errSecInvalidAlgorithmParms: OSStatus = -67770

/// Missing algorithm parms (-67771).
public let errSecMissingAlgorithmParms: OSStatus = -67771

/// Invalid attribute label (-67772).
public let errSecInvalidAttributeLabel: OSStatus = -67772

/// Missing attribute label (-67773).
public let errSecMissingAttributeLabel: OSStatus = -67773

/// Invalid attribute key type (-67774).
public let errSecInvalidAttributeKeyType: OSStatus = -67774

/// Missing attribute key type (-67775).
public let errSecMissingAttributeKeyType: OSStatus = -67775

/// Invalid attribute mode (-67776).
public let errSecInvalidAttributeMode: OSStatus = -67776

/// Missing attribute mode (-67777).
public let errSecMissingAttributeMode: OSStatus = -67777

/// Invalid attribute effective bits (-67778).
public let errSecInvalidAttributeEffectiveBits: OSStatus = -67778

/// Missing attribute effective bits (-67779).
public let errSecMissingAttributeEffectiveBits: OSStatus = -67779

/// Invalid attribute start date (-67780).
public let errSecInvalidAttributeStartDate: OSStatus = -67780

/// Missing attribute start date (-67781).
public let errSecMissingAttributeStartDate: OSStatus = -67781

/// Invalid attribute end date (-67782).
public let errSecInvalidAttributeEndDate: OSStatus = -67782

/// Missing attribute end date (-67783).
public let errSecMissingAttributeEndDate: OSStatus = -67783

/// Invalid attribute version (-67784).
public let errSecInvalidAttributeVersion: OSStatus = -67784

/// Missing attribute version (-67785).
public let errSecMissingAttributeVersion: OSStatus = -67785

/// Invalid attribute prime (-67786).
public let errSecInvalidAttributePrime: OSStatus = -67786

/// Missing attribute prime (-67787).
public let errSecMissingAttributePrime: OSStatus = -67787

/// Invalid attribute base (-67788).
public let errSecInvalidAttributeBase: OSStatus = -67788

/// Missing attribute base (-67789).
public let errSecMissingAttributeBase: OSStatus = -67789

/// Invalid attribute subprime (-67790).
public let errSecInvalidAttributeSubprime: OSStatus = -67790

/// Missing attribute subprime (-67791).
public let errSecMissingAttributeSubprime: OSStatus = -67791

/// Invalid attribute iteration count (-67792).
public let errSecInvalidAttributeIterationCount: OSStatus = -67792

/// Missing attribute iteration count (-67793).
public let errSecMissingAttributeIterationCount: OSStatus = -67793

/// Invalid attribute DLDB handle (-67794).
public let errSecInvalidAttributeDLDBHandle: OSStatus = -67794

/// Missing attribute DLDB handle (-67795).
public let errSecMissingAttributeDLDBHandle: OSStatus = -67795

/// Invalid attribute access credentials (-67796).
public let errSecInvalidAttributeAccessCredentials: OSStatus = -67796

/// Missing attribute access credentials (-67797).
public let errSecMissingAttributeAccessCredentials: OSStatus = -67797

/// Invalid attribute public key format (-67798).
public let errSecInvalidAttributePublicKeyFormat: OSStatus = -67798

/// Missing attribute public key format (-67799).
public let errSecMissingAttributePublicKeyFormat: OSStatus = -67799

/// Invalid attribute private key format (-67800).
public let errSecInvalidAttributePrivateKeyFormat: OSStatus = -67800

/// Missing attribute private key format (-67801).
public let errSecMissingAttributePrivateKeyFormat: OSStatus = -67801

/// Invalid attribute symmetric key format (-67802).
public let errSecInvalidAttributeSymmetricKeyFormat: OSStatus = -67802

/// Missing attribute symmetric key format (-67803).
public let errSecMissingAttributeSymmetricKeyFormat: OSStatus = -67803

/// Invalid attribute wrapped key format (-67804).
public let errSecInvalidAttributeWrappedKeyFormat: OSStatus = -67804

/// Missing attribute wrapped key format (-67805).
public let errSecMissingAttributeWrappedKeyFormat: OSStatus = -67805

/// Staged operation in progress (-67806).
public let errSecStagedOperationInProgress: OSStatus = -67806

/// Staged operation not started (-67807).
public let errSecStagedOperationNotStarted: OSStatus = -67807

/// Verify failed (-67808).
public let errSecVerifyFailed: OSStatus = -67808

/// Query size unknown (-67809).
public let errSecQuerySizeUnknown: OSStatus = -67809

/// Block size mismatch (-67810).
public let errSecBlockSizeMismatch: OSStatus = -67810

/// Public key inconsistent (-67811).
public let errSecPublicKeyInconsistent: OSStatus = -67811

/// Device verify failed (-67812).
public let errSecDeviceVerifyFailed: OSStatus = -67812

/// Invalid login name (-67813).
public let errSecInvalidLoginName: OSStatus = -67813

/// Already logged in (-67814).
public let errSecAlreadyLoggedIn: OSStatus = -67814

/// Invalid digest algorithm (-67815).
public let errSecInvalidDigestAlgorithm: OSStatus = -67815

/// Invalid CRL group (-67816).
public let errSecInvalidCRLGroup: OSStatus = -67816

/// Certificate cannot operate (-67817).
public let errSecCertificateCannotOperate: OSStatus = -67817

/// Certificate expired (-67818).
public let errSecCertificateExpired: OSStatus = -67818

/// Certificate not valid yet (-67819).
public let errSecCertificateNotValidYet: OSStatus = -67819

/// Certificate revoked (-67820).
public let errSecCertificateRevoked: OSStatus = -67820

/// Certificate suspended (-67821).
public let errSecCertificateSuspended: OSStatus = -67821

/// Insufficient credentials (-67822).
public let errSecInsufficientCredentials: OSStatus = -67822

/// Invalid action (-67823).
public let errSecInvalidAction: OSStatus = -67823

/// Invalid authority (-67824).
public let errSecInvalidAuthority: OSStatus = -67824

/// Verify action failed (-67825).
public let errSecVerifyActionFailed: OSStatus = -67825

/// Invalid cert authority (-67826).
public let errSecInvalidCertAuthority: OSStatus = -67826

/// Invalid CRL authority (-67827).
public let errSecInvalidCRLAuthority: OSStatus = -67827

/// Invalid CRL encoding (-67828).
public let errSecInvalidCRLEncoding: OSStatus = -67828

/// Invalid CRL type (-67829).
public let errSecInvalidCRLType: OSStatus = -67829

/// Invalid CRL (-67830).
public let errSecInvalidCRL: OSStatus = -67830

/// Invalid form type (-67831).
public let errSecInvalidFormType: OSStatus = -67831

/// Invalid ID (-67832).
public let errSecInvalidID: OSStatus = -67832

/// Invalid identifier (-67833).
public let errSecInvalidIdentifier: OSStatus = -67833

/// Invalid index (-67834).
public let errSecInvalidIndex: OSStatus = -67834

/// Invalid policy identifiers (-67835).
public let errSecInvalidPolicyIdentifiers: OSStatus = -67835

/// Invalid time string (-67836).
public let errSecInvalidTimeString: OSStatus = -67836

/// Invalid reason (-67837).
public let errSecInvalidReason: OSStatus = -67837

/// Invalid request inputs (-67838).
public let errSecInvalidRequestInputs: OSStatus = -67838

/// Invalid response vector (-67839).
public let errSecInvalidResponseVector: OSStatus = -67839

/// Invalid stop on policy (-67840).
public let errSecInvalidStopOnPolicy: OSStatus = -67840

/// Invalid tuple (-67841).
public let errSecInvalidTuple: OSStatus = -67841

/// Multiple values unsupported (-67842).
public let errSecMultipleValuesUnsupported: OSStatus = -67842

/// Not trusted (-67843).
public let errSecNotTrusted: OSStatus = -67843

/// No default authority (-67844).
public let errSecNoDefaultAuthority: OSStatus = -67844

/// Rejected form (-67845).
public let errSecRejectedForm: OSStatus = -67845

/// Request lost (-67846).
public let errSecRequestLost: OSStatus = -67846

/// Request rejected (-67847).
public let errSecRequestRejected: OSStatus = -67847

/// Unsupported address type (-67848).
public let errSecUnsupportedAddressType: OSStatus = -67848

/// Unsupported service (-67849).
public let errSecUnsupportedService: OSStatus = -67849

/// Invalid tuple group (-67850).
public let errSecInvalidTupleGroup: OSStatus = -67850

/// Invalid base AC ls (-67851).
public let errSecInvalidBaseACLs: OSStatus = -67851

/// Invalid tuple credentials (-67852).
public let errSecInvalidTupleCredentials: OSStatus = -67852

/// Invalid encoding (-67853).
public let errSecInvalidEncoding: OSStatus = -67853

/// Invalid validity period (-67854).
public let errSecInvalidValidityPeriod: OSStatus = -67854

/// Invalid requestor (-67855).
public let errSecInvalidRequestor: OSStatus = -67855

/// Request descriptor (-67856).
public let errSecRequestDescriptor: OSStatus = -67856

/// Invalid bundle info (-67857).
public let errSecInvalidBundleInfo: OSStatus = -67857

/// Invalid CRL index (-67858).
public let errSecInvalidCRLIndex: OSStatus = -67858

/// No field values (-67859).
public let errSecNoFieldValues: OSStatus = -67859

/// Unsupported field format (-67860).
public let errSecUnsupportedFieldFormat: OSStatus = -67860

/// Unsupported index info (-67861).
public let errSecUnsupportedIndexInfo: OSStatus = -67861

/// Unsupported locality (-67862).
public let errSecUnsupportedLocality: OSStatus = -67862

/// Unsupported num attributes (-67863).
public let errSecUnsupportedNumAttributes: OSStatus = -67863

/// Unsupported num indexes (-67864).
public let errSecUnsupportedNumIndexes: OSStatus = -67864

/// Unsupported num record types (-67865).
public let errSecUnsupportedNumRecordTypes: OSStatus = -67865

/// Field specified multiple (-67866).
public let errSecFieldSpecifiedMultiple: OSStatus = -67866

/// Incompatible field format (-67867).
public let errSecIncompatibleFieldFormat: OSStatus = -67867

/// Invalid parsing module (-67868).
public let errSecInvalidParsingModule: OSStatus = -67868

/// Database locked (-67869).
public let errSecDatabaseLocked: OSStatus = -67869

/// Datastore is open (-67870).
public let errSecDatastoreIsOpen: OSStatus = -67870

/// Missing value (-67871).
public let errSecMissingValue: OSStatus = -67871

/// Unsupported query limits (-67872).
public let errSecUnsupportedQueryLimits: OSStatus = -67872

/// Unsupported num selection preds (-67873).
public let errSecUnsupportedNumSelectionPreds: OSStatus = -67873

/// Unsupported operator (-67874).
public let errSecUnsupportedOperator: OSStatus = -67874

/// Invalid DB location (-67875).
public let errSecInvalidDBLocation: OSStatus = -67875

/// Invalid access request (-67876).
public let errSecInvalidAccessRequest: OSStatus = -67876

/// Invalid index info (-67877).
public let errSecInvalidIndexInfo: OSStatus = -67877

/// Invalid new owner (-67878).
public let errSecInvalidNewOwner: OSStatus = -67878

/// Invalid modify mode (-67879).
public let errSecInvalidModifyMode: OSStatus = -67879

/// Missing required extension (-67880).
public let errSecMissingRequiredExtension: OSStatus = -67880

/// Extended key usage not critical (-67881).
public let errSecExtendedKeyUsageNotCritical: OSStatus = -67881

/// Timestamp missing (-67882).
public let errSecTimestampMissing: OSStatus = -67882

/// Timestamp invalid (-67883).
public let errSecTimestampInvalid: OSStatus = -67883

/// Timestamp not trusted (-67884).
public let errSecTimestampNotTrusted: OSStatus = -67884

/// Timestamp service not available (-67885).
public let errSecTimestampServiceNotAvailable: OSStatus = -67885

/// Timestamp bad alg (-67886).
public let errSecTimestampBadAlg: OSStatus = -67886

/// Timestamp bad request (-67887).
public let errSecTimestampBadRequest: OSStatus = -67887

/// Timestamp bad data format (-67888).
public let errSecTimestampBadDataFormat: OSStatus = -67888

/// Timestamp time not available (-67889).
public let errSecTimestampTimeNotAvailable: OSStatus = -67889

/// Timestamp unaccepted policy (-67890).
public let errSecTimestampUnacceptedPolicy: OSStatus = -67890

/// Timestamp unaccepted extension (-67891).
public let errSecTimestampUnacceptedExtension: OSStatus = -67891

/// Timestamp add info not available (-67892).
public let errSecTimestampAddInfoNotAvailable: OSStatus = -67892

/// Timestamp system failure (-67893).
public let errSecTimestampSystemFailure: OSStatus = -67893

/// Signing time missing (-67894).
public let errSecSigningTimeMissing: OSStatus = -67894

/// Timestamp rejection (-67895).
public let errSecTimestampRejection: OSStatus = -67895

/// Timestamp waiting (-67896).
public let errSecTimestampWaiting: OSStatus = -67896

/// Timestamp revocation warning (-67897).
public let errSecTimestampRevocationWarning: OSStatus = -67897

/// Timestamp revocation notification (-67898).
public let errSecTimestampRevocationNotification: OSStatus = -67898

/// Certificate policy not allowed (-67899).
public let errSecCertificatePolicyNotAllowed: OSStatus = -67899

/// Certificate name not allowed (-67900).
public let errSecCertificateNameNotAllowed: OSStatus = -67900

/// Certificate validity period too long (-67901).
public let errSecCertificateValidityPeriodTooLong: OSStatus = -67901

/// Certificate is CA (-67902).
public let errSecCertificateIsCA: OSStatus = -67902

/// Certificate duplicate extension (-67903).
public let errSecCertificateDuplicateExtension: OSStatus = -67903

/// Missing qualified cert statement (-67904).
public let errSecMissingQualifiedCertStatement: OSStatus = -67904
