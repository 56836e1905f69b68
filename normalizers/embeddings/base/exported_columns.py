"""Maps of columns for other engines: each column has a location and a scale."""

from __future__ import annotations

import numpy as np

from normalizers.bases.affine_maps import AffineMaps
from normalizers.bases.columns.column_map import ColumnMap, Seen
from normalizers.bases.columns.scales import ColumnScales
from normalizers.bases.exported_maps import exported_map
from normalizers.contract import Fitted
from normalizers.contract.exports import FAISS, NPZ, ONNX, Export
from normalizers.errors import UnsupportedOperation


class ExportedColumns(ColumnMap[Seen]):
    """Base of the maps of columns that are one linear map of rows, where a fit is all they need."""

    @property
    def gives_unit_rows(self) -> bool:
        """Whether rows are brought to length 1 in the end."""
        return False

    @property
    def exports(self) -> tuple[str, ...]:
        """The arrays, and what holds one map of rows, which groups and rows sent have not."""
        if self.by_group or self.by_request:
            return super().exports
        return (NPZ, ONNX) if self.gives_unit_rows else (NPZ, ONNX, FAISS)

    def export(self, fitted: Fitted, name: str) -> Export:
        """Return the map of a fit for another engine, in float32 but for the arrays."""
        if name == NPZ:
            return super().export(fitted, name)
        scales = ColumnScales.of(fitted).map
        same = np.flatnonzero(~np.isnan(scales.fixed))
        if len(same):
            raise UnsupportedOperation(
                f"column {same[0]} has no spread and gives one number whatever comes, which is no "
                "linear map; on_constant 'scale_one' is one",
                path="format",
            )
        # Without a spread no mean is short beside it, so that it is subtracted first.
        maps = AffineMaps(scales.loc, np.diag(1 / scales.scale), None, 0.0)
        return exported_map(maps, name, unit=self.gives_unit_rows)
