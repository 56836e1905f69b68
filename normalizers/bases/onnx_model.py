"""A linear map as an ONNX model: rows ``x (m, d)`` in float32 to ``y (m, k)``."""

from __future__ import annotations

from typing import Any

import numpy as np

from normalizers.bases.affine_maps import LinearMap
from normalizers.bases.vectors import LAYER_NORM_EPS, Step
from normalizers.contract.exports import ONNX, Export
from normalizers.data.arrays import Array
from normalizers.errors import MissingDependency

OPSET, IR_VERSION = 17, 8
# A length this short is that of no float32 row whose square is a normal number.
SHORTEST = 1e-19


def onnx_model(there: LinearMap, pre: Step, *, unit_after: bool) -> Export:
    """Return the model of a map in float32, with the steps before and after it.

    Raises
    ------
    MissingDependency
        ``onnx`` is not installed.
    """
    return Export(_Graph(_onnx()).of(there, pre, unit_after).SerializeToString(), ONNX)


def _onnx() -> Any:
    try:
        import onnx
    except ImportError as error:
        message = "an ONNX model is written with onnx: pip install 'normd[onnx]'"
        raise MissingDependency(message, path="format") from error
    return onnx


class _Graph:
    """Nodes in order, each after the one before it."""

    def __init__(self, onnx: Any) -> None:
        self._onnx = onnx
        self._nodes: list[Any] = []
        self._constants: list[Any] = []
        self._at = "x"

    def of(self, there: LinearMap, pre: Step, unit_after: bool) -> Any:
        """Return the model."""
        helper, d, k = self._onnx.helper, *there.matrix.shape
        if pre == "l2":
            self._unit("pre")
        elif pre == "layer_norm":
            scale = self._constant("pre_scale", np.ones(d, np.float32))
            self._node("LayerNormalization", scale, axis=-1, epsilon=LAYER_NORM_EPS)
        if there.shift is not None:
            self._node("Sub", self._constant("shift", there.shift))
        self._product(there.matrix)
        if there.bias is not None:
            self._node("Add", self._constant("bias", there.bias))
        if unit_after:
            self._unit("post")
        if not self._nodes:
            self._node("Identity")
        self._nodes[-1].output[0] = "y"
        floats = self._onnx.TensorProto.FLOAT
        graph = helper.make_graph(
            self._nodes,
            "linear_map",
            [helper.make_tensor_value_info("x", floats, ["m", d])],
            [helper.make_tensor_value_info("y", floats, ["m", k])],
            self._constants,
        )
        opset = helper.make_opsetid("", OPSET)
        model = helper.make_model(graph, opset_imports=[opset], producer_name="normd")
        model.ir_version = IR_VERSION
        self._onnx.checker.check_model(model)
        return model

    def _product(self, matrix: Array) -> None:
        """Multiply rows by a matrix; columns one by one where each goes to itself."""
        own = np.diagonal(matrix)
        if matrix.shape[0] != matrix.shape[1] or np.count_nonzero(matrix) > np.count_nonzero(own):
            self._node("MatMul", self._constant("W", matrix))
        elif (own != 1).any():
            self._node("Mul", self._constant("W", own))

    def _unit(self, name: str) -> None:
        """Divide rows by their length; a zero row stays zero."""
        rows = self._at
        self._node("ReduceL2", axes=[1], keepdims=1)
        self._node("Max", self._constant(f"{name}_shortest", np.asarray([SHORTEST], np.float32)))
        length, self._at = self._at, rows
        self._node("Div", length)

    def _node(self, operator: str, *others: str, **attributes: object) -> None:
        output = f"{operator.lower()}_{len(self._nodes)}"
        make = self._onnx.helper.make_node
        self._nodes.append(make(operator, [self._at, *others], [output], **attributes))
        self._at = output

    def _constant(self, name: str, values: Array) -> str:
        numbers = np.ascontiguousarray(values, dtype=np.float32)
        self._constants.append(self._onnx.numpy_helper.from_array(numbers, name))
        return name
