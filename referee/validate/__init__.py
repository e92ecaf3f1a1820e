"""The standalone validator: checks a log against its format, its rules, its shuffle and its seals."""

from referee.validate.findings import Finding
from referee.validate.report import Report
from referee.validate.validator import validate, validate_path

__all__ = ["Finding", "Report", "validate", "validate_path"]
